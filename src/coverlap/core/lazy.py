"""A property that is computed once."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class lazy_property(Generic[Value]):  # noqa: N801
    """A property that is computed on first access and then stored in the instance.

    Before Python 3.12, ``functools.cached_property`` holds one lock for all instances of a class
    while it computes, so threads wait for each other. Here two threads may both compute the value,
    and either one is kept.
    """

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        value = self._function(instance)
        instance.__dict__[self._name] = value
        return value

"""A property that is computed once."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class remembered(Generic[Value]):  # noqa: N801
    """A property that is computed when it is first asked for, and kept with the instance.

    In Python 3.11, ``functools.cached_property`` lets only one thread at a time compute such a
    property, of whatever instance. Here two threads may both compute one, and either value is kept.
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

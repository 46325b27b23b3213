import gzip
import io
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coverlap import read_clustering, write_clustering
from coverlap.clustering.read import File, read_files, read_files_and_universe
from coverlap.core.errors import CoverlapError, FileError, InputError, InputTypeError, OptionError
from coverlap.files import source
from tests.files.support import (
    COMPRESSED,
    SAMPLES,
    format_of,
    line_of,
    read,
    refusal,
)

LINES = "".join(f"{i} {i + 1}\n" for i in range(2000)).encode()


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    def put(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    return put


# Compression


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("suffix", COMPRESSED)
def test_every_format_may_be_compressed(sample: str, suffix: str):
    name, content, *_ = SAMPLES[sample]
    compressed = COMPRESSED[suffix](content)
    SAMPLES[sample].check(read(compressed, name + suffix))
    SAMPLES[sample].check(read(compressed, name + suffix.upper()))
    SAMPLES[sample].check(read(compressed, "unsaid", format_of(sample)))


@given(
    st.sampled_from([*COMPRESSED]), st.lists(st.binary(max_size=30), min_size=1, max_size=4),
    st.integers(0, 40), st.integers(10, 60), st.integers(1, 50),
)  # fmt: skip
def test_compressed_parts_are_one_file_wherever_blocks_end(suffix, parts, n_zeros, size, block):
    """Zeros behind them mean nothing."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "a")
        path.write_bytes(b"".join(map(COMPRESSED[suffix], parts)) + bytes(n_zeros))
        patch.setattr(source, "READ", size)
        patch.setattr(source, "BLOCK", block)
        with source.Source(path) as opened:
            assert opened.read() == b"".join(parts)


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_compressed_data_with_more_behind_or_of_another_kind_is_refused(suffix: str):
    compress, other = COMPRESSED[suffix], COMPRESSED[".bz2" if suffix == ".gz" else ".gz"]
    for content, message in (
        (compress(LINES) + b"1 2\n", "the compressed data is damaged"),
        (b"1 2\n", f"a.cnl{suffix}: the name ends in {suffix}, but the data is not"),
        (other(b"1 2\n"), f"a.cnl{suffix}: the name ends in {suffix}, but the data is not"),
        (compress(compress(b"1 2\n")), "line 1: "),  # it is decompressed once
        *(
            (empty, "line 1: the file is empty")
            for empty in (b"", compress(b""), compress(b"\n \n"))
        ),
    ):
        assert message in refusal(content, f"a.cnl{suffix}")


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("suffix", COMPRESSED)
def test_a_compressed_file_that_breaks_off_anywhere_is_refused(sample: str, suffix: str):
    name, content, *_ = SAMPLES[sample]
    compressed = COMPRESSED[suffix](content)
    step = 23 if sample in {"parquet", "arrow", "npz"} else 3
    for size in range(1, len(compressed), step):
        refusal(compressed[:size], name + suffix)


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_a_long_compressed_file_that_breaks_off_names_the_line_reached(suffix: str):
    text = "".join(f"{i * 7919 % 1000003} {i}\n" for i in range(200_000)).encode()
    compressed = COMPRESSED[suffix](text)
    message = refusal(compressed[: len(compressed) // 2], f"a.cnl{suffix}")
    assert message.endswith("the compressed data breaks off")
    assert 10_000 < line_of(message) < 190_000


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_a_file_that_is_written_compressed_is_refused_or_right_with_any_byte_changed(
    suffix: str, tmp_path: Path
):
    """All of them have a checksum."""
    clustering = read(LINES[:60], "a.cnl")
    path = tmp_path / f"a.cnl{suffix}"
    write_clustering(clustering, path)
    compressed = path.read_bytes()
    n_refused = 0
    for at in range(len(compressed)):
        for bits in (0x01, 0x80, 0xFF):
            damaged = bytearray(compressed)
            damaged[at] ^= bits
            try:
                assert read(bytes(damaged), path.name) == clustering
            except CoverlapError:
                n_refused += 1
    assert n_refused > 2 * len(compressed)
    assert read(compressed, path.name) == clustering


def test_frames_that_zstandard_skips_are_skipped():
    skipped = struct.pack("<II", 0x184D2A50, 8) + b"whatever"
    compressed = COMPRESSED[".zst"](LINES)
    for content in (skipped + compressed, compressed + skipped, skipped * 2 + compressed):
        assert read(content, "a.txt.zst", "cluster-lines").n_clusters == 2000


def test_text_that_begins_like_a_compression_is_text():
    assert read("BZh bzip\nx\nBZh bzip\nx\n", "a.txt", "labels").n_clusters == 2


# Standard input and other inputs that are not regular files


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_format_is_read_from_standard_input(sample: str, stdin):
    for compress in (bytes, COMPRESSED[".gz"], COMPRESSED[".zst"]):
        stdin(compress(SAMPLES[sample].content))
        SAMPLES[sample].check(read_clustering("-", format_of(sample)))
    if sample not in {"cluster-lines", "object-lines"}:  # the content tells the other formats
        stdin(SAMPLES[sample].content)
        SAMPLES[sample].check(read_clustering("-"))


def test_standard_input_is_named_in_messages(stdin):
    stdin(b"object,cluster\na\n")
    with pytest.raises(InputError, match=r"^standard input, line 2: 2 fields were expected"):
        read_clustering("-", "pairs")


def test_standard_input_can_be_read_only_once(stdin):
    stdin(b"1\n2\n")
    for read_twice in (
        lambda: read_files([File("-"), File("-")]),
        lambda: read_files_and_universe([File("-")], "-"),
    ):
        with pytest.raises(OptionError, match=r"standard input \(-\) can be read only once"):
            read_twice()


def test_a_pipe_from_another_program_is_read():
    program = "import coverlap; print(coverlap.read_clustering('-').to_clusters())"
    done = subprocess.run(
        [sys.executable, "-c", program], input=b"[[1, 2], [2, 3]]", capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == "[{1, 2}, {2, 3}]"


@pytest.mark.parametrize("sample", ["cluster-lines", "labels", "parquet", "npy"])
def test_a_named_pipe_is_read(sample: str, tmp_path: Path):
    pipe = tmp_path / SAMPLES[sample].name
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(SAMPLES[sample].content,))
    writer.start()
    c = read_clustering(pipe)
    writer.join()
    SAMPLES[sample].check(c)


def test_a_file_called_minus_needs_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("x\ny\nx\n")
    assert read_clustering("./-", "labels").to_dict() == {"x": {0, 2}, "y": {1}}


@pytest.mark.parametrize("names", [[1, 2], (1,), {1}, frozenset({1}), {}])
def test_only_one_cluster_can_hold_the_outliers(names: object):
    with pytest.raises(OptionError, match=r"^outlier_cluster must be the name of one cluster"):
        read("1 2\n", "a.cnl", outlier_cluster=names)


@pytest.mark.parametrize("format", ["auto", "labels", "json", "parquet", "arrow", "npy"])
def test_what_is_no_readable_file_is_refused(format: str, tmp_path: Path):
    folder = tmp_path / "a.csv" if format == "auto" else tmp_path
    folder.mkdir(exist_ok=True)
    for path, message in [
        (tmp_path / "none.csv", "No such file or directory"),
        (folder, "Is a directory"),
        (tmp_path / "none.csv" / "b.csv", "No such file or directory"),
        (tmp_path / ("x" * 300 + ".csv"), "File name too long"),
    ]:
        with pytest.raises(FileError) as caught:
            read_clustering(path, format)
        assert str(caught.value) == f"{path}: {message}"
        assert isinstance(caught.value, OSError)
    for path, message in (("a\0b.csv", "cannot be the path of a file"), ("", "path is empty")):
        with pytest.raises(FileError, match=message):
            read_clustering(path, format)


@pytest.mark.parametrize("path", [None, 5, b"a.csv", ["a.csv"]])
def test_what_is_no_path_is_refused(path: object):
    with pytest.raises(InputTypeError, match="path must be a str or a Path"):
        read_clustering(path)


@pytest.mark.parametrize("format", ["csv", "", None, 5, ["json"], "JSON"])
def test_a_format_that_does_not_exist_is_refused(format: object):
    with pytest.raises(OptionError, match=r"^format must be "):
        read_clustering("a.csv", format)


def test_an_empty_device_is_an_empty_file():
    with pytest.raises(InputError, match="the file is empty"):
        read_clustering("/dev/null", "labels")


# Progress


@pytest.mark.parametrize("suffix", ["", *COMPRESSED])
def test_progress_counts_the_bytes_of_the_file(suffix: str, tmp_path: Path):
    path = tmp_path / f"a.cnl{suffix}"
    text = "".join(f"{i} {i * 17}\n" for i in range(100_000)).encode()
    path.write_bytes(COMPRESSED[suffix](text) if suffix else text)
    seen: list[tuple[int, int | None]] = []
    read_clustering(path, progress=lambda done, total: seen.append((done, total)))
    size = path.stat().st_size
    done = [n for n, _ in seen]
    assert done == sorted(done)
    assert (done[-1], {total for _, total in seen}) == (size, {size})
    assert len(seen) >= size / source.READ


def test_the_end_of_standard_input_is_not_known_before(stdin):
    stdin(b"1\n2\n")
    seen: list[tuple[int, int | None]] = []
    read_clustering("-", "labels", progress=lambda *both: seen.append(both))
    assert seen[-1] == (4, None)


# Threads


@pytest.mark.parametrize("size", [10, 3_000_000])
@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_what_goes_wrong_in_the_callback_reaches_the_caller(size: int, error, tmp_path: Path):
    path = tmp_path / "a.labels.gz"
    path.write_bytes(COMPRESSED[".gz"](b"1\n" * size))

    def progress(done: int, _: int | None) -> None:
        if done:
            raise error

    before = set(threading.enumerate())
    for _ in range(3):
        with pytest.raises(error):
            read_clustering(path, progress=progress)
    assert set(threading.enumerate()) <= before


def test_files_can_be_read_in_many_threads_at_once(tmp_path: Path):
    for sample in SAMPLES.values():
        (tmp_path / sample.name).write_bytes(sample.content)
    samples = list(SAMPLES.values()) * 8
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda sample: read_clustering(tmp_path / sample.name), samples))
    for sample, clustering in zip(samples, found, strict=True):
        sample.check(clustering)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells open files so")
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_file_that_is_refused_leaves_no_thread_and_no_open_file(tmp_path: Path, suffix: str):
    """Whether the error is found midway or at the end."""
    path = tmp_path / f"many.csv{suffix}"
    before = set(threading.enumerate()), len(list(Path("/proc/self/fd").iterdir()))
    for rows, line in ((b"a,x\n" * 500_000 + b"b\n", 500_002), (b"b\n" + b"a,x\n" * 5_000_000, 2)):
        data = b"object,cluster\n" + rows
        path.write_bytes(gzip.compress(data, 1) if suffix else data)
        for _ in range(3):
            with pytest.raises(InputError, match=f"line {line}:"):
                read_clustering(path)
    assert set(threading.enumerate()) <= before[0]
    assert len(list(Path("/proc/self/fd").iterdir())) <= before[1]


# Limits, and copies of pipes


def test_a_pipe_is_not_copied_if_it_begins_as_no_file_of_its_format_does():
    for name in ("parquet", "arrow", "npy", "h5ad"):
        program = f"import coverlap; coverlap.read_clustering('-', {name!r})"
        with subprocess.Popen(["/usr/bin/yes"], stdout=subprocess.PIPE) as endless:
            done = subprocess.run(
                [sys.executable, "-c", program], stdin=endless.stdout, capture_output=True,
                check=False, timeout=60,
            )  # fmt: skip
            endless.kill()
        assert b"it begins with b'y\\ny\\n" in done.stderr, name


@pytest.mark.parametrize("sample", ["parquet", "arrow", "npy", "json", "cluster-lines"])
def test_what_is_copied_or_held_in_memory_has_a_limit(
    sample: str, stdin, monkeypatch: pytest.MonkeyPatch
):
    size = len(SAMPLES[sample].content)
    monkeypatch.setenv("COVERLAP_MAX_BYTES", str(size))
    stdin(SAMPLES[sample].content)
    SAMPLES[sample].check(read_clustering("-", sample))
    monkeypatch.setenv("COVERLAP_MAX_BYTES", str(size - 1))
    for compress in (bytes, COMPRESSED[".gz"]):
        stdin(compress(SAMPLES[sample].content))
        with pytest.raises(
            InputError, match=f"at most {size - 1:,} bytes, .*COVERLAP_MAX_BYTES sets this limit"
        ):
            read_clustering("-", sample)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells open files so")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_copy_survives_a_signal(tmp_path: Path, number: int):
    program = "import coverlap; coverlap.read_clustering('-', 'parquet')"
    if number == signal.SIGHUP:  # it is ignored if the tests run under nohup
        program = f"import signal; signal.signal({number:d}, signal.SIG_DFL); {program}"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as child:  # fmt: skip
        child.stdin.write(b"PAR1" + bytes(3_000_000))
        child.stdin.flush()
        folder = Path(f"/proc/{child.pid}/fd")
        deadline = time.monotonic() + 60
        while not any(
            str(tmp_path) in str(fd.readlink()) for fd in folder.iterdir() if fd.is_symlink()
        ):
            assert time.monotonic() < deadline, "no copy was made"
            time.sleep(0.02)
        assert list(tmp_path.iterdir()) == []
        child.send_signal(number)
        assert child.wait(60) == -number
    assert list(tmp_path.iterdir()) == []


def test_no_folder_for_temporary_files_is_an_error(stdin, monkeypatch: pytest.MonkeyPatch):
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(source, "TemporaryFile", refuse)
    stdin(SAMPLES["parquet"].content)
    with pytest.raises(FileError, match=r"no temporary file .*\(Permission denied\); TMPDIR"):
        read_clustering("-")


def test_copies_have_names_where_open_files_have_no_paths(
    tmp_path: Path, stdin, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(source, "DESCRIPTORS", tmp_path / "none")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for sample in ("parquet", "arrow", "npy"):
        stdin(SAMPLES[sample].content)
        SAMPLES[sample].check(read_clustering("-"))
    assert list(tmp_path.iterdir()) == []

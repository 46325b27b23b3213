import gc
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
from types import SimpleNamespace

import pytest

from coverlap import compare, read_clustering, write_clustering
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
    zstd,
)

LINES = "".join(f"{i} {i + 1}\n" for i in range(2000)).encode()


def clusters_of(content: bytes, name: str) -> int:
    return read(content, name, "cluster-lines").n_clusters


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


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_several_compressed_parts_are_one_file(suffix: str):
    compress = COMPRESSED[suffix]
    for cut in (0, 1, 7, 4000, len(LINES)):
        content = compress(LINES[:cut]) + compress(b"") + compress(LINES[cut:])
        assert clusters_of(content, f"a.txt{suffix}") == 2000


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_parts_may_end_where_a_block_of_the_file_does(suffix: str, monkeypatch: pytest.MonkeyPatch):
    parts = [COMPRESSED[suffix](part) for part in (b"1 2\n" * 99, b"3 4\n" * 9 + b"5 6\n")]
    first = len(parts[0])
    for size in (first - 1, first, first + 1, 10, 13):
        monkeypatch.setattr(source, "READ", size)
        for block in (1, 10, 396):
            monkeypatch.setattr(source, "BLOCK", block)
            c = read(b"".join(parts), f"a.cnl{suffix}")
            assert (c.n_clusters, c.n_merged) == (3, 106)


def test_zeros_behind_a_compressed_file_mean_nothing():
    for suffix, compress in COMPRESSED.items():
        assert clusters_of(compress(LINES) + b"\0" * 1000, f"a.txt{suffix}") == 2000


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_anything_else_behind_a_compressed_file_is_refused(suffix: str):
    content = COMPRESSED[suffix](LINES) + b"1 2\n"
    message = refusal(content, f"a.txt{suffix}", "cluster-lines")
    assert "the compressed data is damaged" in message


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


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])
def test_a_compressed_file_with_any_byte_changed_is_refused_or_right(suffix: str):
    name, content, *_ = SAMPLES["cluster-lines"]
    compressed = COMPRESSED[suffix](content)
    n_refused = 0
    for at in range(len(compressed)):
        for bits in (0x01, 0x80, 0xFF):
            damaged = bytearray(compressed)
            damaged[at] ^= bits
            try:
                SAMPLES["cluster-lines"].check(read(bytes(damaged), name + suffix))
            except CoverlapError:
                n_refused += 1
    assert n_refused > 2 * len(compressed)


def test_a_zstandard_file_with_a_checksum_is_refused_when_it_is_damaged():
    options = {zstd.CompressionParameter.checksum_flag: 1}
    compressed = zstd.compress(LINES, options=options)
    for at in range(len(compressed) - 1, 4, -97):
        damaged = bytearray(compressed)
        damaged[at] ^= 0x10
        refusal(bytes(damaged), "a.cnl.zst")


def test_zstandard_files_that_are_written_have_a_checksum(tmp_path: Path):
    path = tmp_path / "a.cnl.zst"
    write_clustering(read(LINES, "a.cnl"), path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1  # the checksum is at the end
    assert "the compressed data is damaged" in refusal(bytes(content), "a.cnl.zst")


def test_frames_that_zstandard_skips_are_skipped():
    skipped = struct.pack("<II", 0x184D2A50, 8) + b"whatever"
    compressed = COMPRESSED[".zst"](LINES)
    for content in (skipped + compressed, compressed + skipped, skipped * 2 + compressed):
        assert clusters_of(content, "a.txt.zst") == 2000


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_a_name_that_promises_another_compression_is_refused(suffix: str):
    message = refusal(b"1 2\n", f"a.cnl{suffix}")
    assert message.endswith(f"a.cnl{suffix}: the name ends in {suffix}, but the data is not")
    other = ".bz2" if suffix == ".gz" else ".gz"
    refusal(COMPRESSED[other](b"1 2\n"), f"a.cnl{suffix}")


@pytest.mark.parametrize("suffix", COMPRESSED)
def test_a_compressed_file_of_nothing_is_empty(suffix: str):
    for content in (b"", COMPRESSED[suffix](b""), COMPRESSED[suffix](b"\n \n")):
        assert refusal(content, f"a.csv{suffix}").endswith("line 1: the file is empty")


def test_text_that_begins_like_a_compression_is_text():
    assert read("BZh bzip\nx\nBZh bzip\nx\n", "a.txt", "labels").n_clusters == 2


def test_what_is_compressed_twice_is_decompressed_once():
    twice = COMPRESSED[".gz"](COMPRESSED[".gz"](b"1 2\n"))
    assert "line 1: " in refusal(twice, "a.cnl.gz")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", COMPRESSED)
def test_a_small_file_may_hold_much(suffix: str):
    text = b"1 2 3\n" * 2_000_000
    c = read(COMPRESSED[suffix](text), f"a.cnl{suffix}")
    assert (c.n_clusters, c.n_merged) == (1, 1_999_999)


# Standard input and other inputs that are not regular files


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_format_is_read_from_standard_input(sample: str, stdin):
    for compress in (bytes, COMPRESSED[".gz"], COMPRESSED[".zst"]):
        stdin(compress(SAMPLES[sample].content))
        SAMPLES[sample].check(read_clustering("-", format_of(sample)))


@pytest.mark.parametrize("sample", ["json", "parquet", "arrow", "npy", "npz", "labels"])
def test_the_content_of_standard_input_tells_its_format(sample: str, stdin):
    stdin(SAMPLES[sample].content)
    SAMPLES[sample].check(read_clustering("-"))


def test_standard_input_is_named_in_messages(stdin):
    stdin(b"object,cluster\na\n")
    with pytest.raises(InputError, match=r"^standard input, line 2: 2 fields were expected"):
        read_clustering("-", "pairs")
    stdin(b"1 2\n3 4\n")
    with pytest.raises(InputError, match=r"^standard input can be read in "):
        read_clustering("-")
    stdin(b"")
    with pytest.raises(InputError, match=r"^standard input, line 1: the file is empty"):
        read_clustering("-")


def test_standard_input_can_be_read_only_once(stdin):
    stdin(b"1\n2\n")
    with pytest.raises(OptionError, match=r"standard input \(-\) can be read only once"):
        read_files([File("-"), File("-")])
    with pytest.raises(OptionError, match=r"standard input \(-\) can be read only once"):
        read_files_and_universe([File("-")], "-")


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
    with pytest.raises(FileError, match="cannot be the path of a file"):
        read_clustering("a\0b.csv", format)
    with pytest.raises(FileError, match="path is empty"):
        read_clustering("", format)


def test_a_file_that_is_missing_is_also_an_os_error():
    with pytest.raises(OSError, match=r"none\.txt: No such file or directory"):
        read_clustering("none.txt")


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


def test_two_paths_are_compared_as_files(tmp_path: Path):
    (tmp_path / "a.txt").write_text("0\n0\n1\n-1\n")
    (tmp_path / "b.csv").write_text("object,cluster\n0,x\n1,x\n2,y\n3,\n")
    assert compare(str(tmp_path / "a.txt"), tmp_path / "b.csv").score == 1.0


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


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells open files so")
def test_reading_leaves_no_thread_and_no_open_file_behind(tmp_path: Path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(COMPRESSED[".gz"](b"object,cluster\n" + b"a,x\n" * 500_000 + b"b\n"))
    before = set(threading.enumerate())
    for _ in range(3):
        with pytest.raises(InputError, match="line 500002"):
            read_clustering(path)
        with pytest.raises(InputError, match="line 1"):
            read_clustering(path, object="id")
    assert set(threading.enumerate()) <= before
    gc.collect()
    opened = [fd.readlink() for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink()]
    assert path not in opened


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


def test_what_is_written_compressed_can_be_read(tmp_path: Path):
    for suffix in COMPRESSED:
        path = tmp_path / f"a.cnl{suffix}"
        write_clustering(read(LINES, "a.cnl"), path)
        assert path.read_bytes() != LINES
        assert read_clustering(path) == read(LINES, "a.cnl")


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_file_refused_midway_leaves_no_thread_and_no_open_file(tmp_path: Path, suffix: str):
    data = b"0\n0.5\n" + b"1234567\n" * 2_000_000
    path = tmp_path / f"many.labels{suffix}"
    path.write_bytes(gzip.compress(data, 1) if suffix else data)
    folder = Path("/proc/self/fd")
    before = set(threading.enumerate()), len(list(folder.iterdir())) if folder.is_dir() else 0
    for _ in range(3):
        with pytest.raises(InputError, match="line 2"):
            read_clustering(path)
    after = set(threading.enumerate()), len(list(folder.iterdir())) if folder.is_dir() else 0
    assert after[0] <= before[0]
    assert after[1] <= before[1]


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


@pytest.mark.parametrize("sample", ["parquet", "arrow", "npy", "json"])
def test_a_copy_has_a_limit(sample: str, stdin, monkeypatch: pytest.MonkeyPatch):
    size = len(SAMPLES[sample].content)
    monkeypatch.setenv("COVERLAP_MAX_BYTES", str(max(size, 1000)))
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
        while not any(str(tmp_path) in str(fd.readlink()) for fd in existing(folder)):
            assert time.monotonic() < deadline, "no copy was made"
            time.sleep(0.02)
        assert list(tmp_path.iterdir()) == []
        child.send_signal(number)
        assert child.wait(60) == -number
    assert list(tmp_path.iterdir()) == []


def existing(folder: Path) -> list[Path]:
    return [fd for fd in folder.iterdir() if fd.is_symlink()]


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

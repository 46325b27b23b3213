"""Small files of every format, and functions that damage them at random."""

from random import Random

import numpy as np
import pyarrow as pa

from tests.files.support import (
    BOM,
    PEOPLE,
    SAMPLES,
    arrow_bytes,
    arrow_table,
    npy_bytes,
    npz_bytes,
    parquet_bytes,
)

PIECES = [
    b" ", b"\t", b",", b";", b"|", b"\n", b"\r", b"\r\n", b"\n\n", b'"', b'""', b"'", b"[", b"]",
    b"[]", b"{", b"}", b"#", b"%", b">", b"1>", b":", b":0.5", b"-", b"-1", b"0", b"007", b"1.5",
    b"1.0", b"1e5", b"\0", b"\xff", b"\xc3", b"\xc3\xa9", b"\xed\xa0\x80", BOM, b"\xff\xfe", b"NA",
    b"nan", b"null", b"true", b"9" * 18, b"9" * 19, b"9" * 400, b"9" * 5000, b"a" * 300, b"[" * 50,
    b'{"a":', b"# Clusters: 1, Fuzzy: 1", b"\\", b"\\u0000", b"\\ud800", b"\x1f\x8b", b"BZh9",
    b"\x28\xb5\x2f\xfd", b"PAR1", b"ARROW1", b"PK\x03\x04", b"\x7f\xff\xff\xff", b"\xff" * 4,
    b"\x01", b"\0\0\0\x80", b"object", b"cluster", b"NaN", b"Infinity",
]  # fmt: skip


def mutated(random: Random, data: bytes, *, in_place: bool = False) -> bytes:
    """Damage a file in a few places; in place, so that only single bytes change."""
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        at = random.randint(0, len(data))
        end = min(len(data), at + random.choice((0, 0, 1, 2, 5, 30)))
        what = 0.0 if in_place else random.random()
        if what < 0.25 and data:
            at = random.randrange(len(data))
            changed = random.choice((0, 255, data[at] ^ (1 << random.randrange(8))))
            data = data[:at] + bytes([changed]) + data[at + 1 :]
        elif what < 0.65:
            data = data[:at] + random.choice(PIECES) + data[end:]
        elif what < 0.75:
            data = data[:at] + random.randbytes(random.randint(1, 6)) + data[end:]
        elif what < 0.85:
            data = data[:at] + data[at : at + random.randint(1, 40)] * 2 + data[at:]
        elif what < 0.93:
            data = data[:at]
        else:
            data = data[at:]
    return data


ROWS = arrow_table(object=[1, 2, 2, 3], cluster=[[1], [1, 2], [], None])
CATEGORIES = arrow_table(object=[1, 2], cluster=PEOPLE["cluster"].slice(0, 2).dictionary_encode())
BASES: dict[str, list[bytes]] = {
    "cluster-lines": [
        SAMPLES["cluster-lines"].content, b"# Clusters: 2, Fuzzy: 1\n1> a:1 b:0.5\n2> b c\n",
        b"a,b,c\nc,d\n", b"1 2\r\n3 4\r\n",
    ],
    "object-lines": [
        SAMPLES["object-lines"].content, b"7\t[2, 5]\n8\t[1]\n9\t[]\n", b"# c\nann x\nbob x y\n",
        b"1,2,3\n4,2\n",
    ],
    "pairs": [
        SAMPLES["pairs"].content, b'object,cluster\n"a, b","x\ny"\n"c ""d""",x\n',
        b"object\tcluster\n1\t1\n2\t1\n", b"cluster;other;object\n1;;2\n1;3;4\n",
        b"object cluster\n1 2\n",
    ],
    "labels": [
        SAMPLES["labels"].content, b"0\n1\n1\n-1\n", b"1.0\nnan\n2.0\n", b"T cell\nB cell\n",
    ],
    "json": [
        SAMPLES["json"].content, b"[[1, 2], [2, 3]]", b'["x", null, -1, 3]', b'{"a": 1, "2": "x"}',
        b'{"a": ["x", 1], "b": []}', b'{"communities": [["a"], [1, 2.0]], "overlap": true}',
    ],
    "npy": [
        SAMPLES["npy"].content, SAMPLES["npz"].content, npy_bytes(["x", "y", "x"]),
        npy_bytes([1.0, np.nan]), npz_bytes(x=np.arange(3)),
        npz_bytes(np.savez_compressed, x=np.arange(9)),
    ],
    "arrow": [
        SAMPLES["arrow"].content, arrow_bytes(ROWS), arrow_bytes(PEOPLE.slice(1, 3)),
        arrow_bytes(CATEGORIES), arrow_bytes(PEOPLE, pa.ipc.new_stream),
    ],
    "parquet": [SAMPLES["parquet"].content, parquet_bytes(ROWS)],
}  # fmt: skip

OPTIONS: dict[str, list[dict[str, object]]] = {
    "cluster-lines": [{}, {}, {"delimiter": ","}, {"outlier_cluster": 1}],
    "object-lines": [{}, {}, {"delimiter": ","}, {"outlier_label": ("x", 1)}],
    "pairs": [{}, {}, {"object": 1, "cluster": 0}, {"delimiter": " "}, {"outlier_cluster": "x"}],
    "labels": [{}, {"outlier_label": ()}, {"outlier_cluster": 1}],
    "json": [{}, {"keys": "objects"}, {"keys": "clusters"}, {"outlier_cluster": "x"}],
    "npy": [{}, {"outlier_label": 5}, {"outlier_cluster": 0}],
    "arrow": [{}, {"object": 1, "cluster": 0}],
    "parquet": [{}, {"object": 1, "cluster": 0}],
}

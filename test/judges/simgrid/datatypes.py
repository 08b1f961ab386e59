"""Numbers and sizes of the datatypes of SMPI, one in a line: what the library that records traces says of its own.

The size is what MPI_Type_size answers. The number that traces have has no function: it is the one text in the object, kept
by C++ in the object itself since it is short.
"""

import ctypes
import ctypes.util
import re

NAMES = """
DOUBLE INT CHAR SHORT LONG FLOAT BYTE LONG_LONG SIGNED_CHAR UNSIGNED_CHAR UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG
UNSIGNED_LONG_LONG LONG_DOUBLE WCHAR C_BOOL INT8_T INT16_T INT32_T INT64_T UINT8_T UINT16_T UINT32_T UINT64_T
C_FLOAT_COMPLEX C_DOUBLE_COMPLEX C_LONG_DOUBLE_COMPLEX AINT OFFSET FLOAT_INT LONG_INT DOUBLE_INT SHORT_INT 2INT 2FLOAT
2DOUBLE 2LONG REAL REAL4 REAL8 REAL16 COMPLEX8 COMPLEX16 COMPLEX32 INTEGER1 INTEGER2 INTEGER4 INTEGER8 INTEGER16
LONG_DOUBLE_INT CXX_BOOL CXX_FLOAT_COMPLEX CXX_DOUBLE_COMPLEX CXX_LONG_DOUBLE_COMPLEX UB LB PACKED PTR COUNT
""".split()

OBJECT_BYTES = 224  # Between one object and the next.

library = ctypes.CDLL(ctypes.util.find_library("simgrid"), mode=ctypes.RTLD_GLOBAL)


def number_in(address):
    content = ctypes.string_at(address, OBJECT_BYTES)
    word = lambda at: int.from_bytes(content[at : at + 8], "little")
    for at in range(0, OBJECT_BYTES - 24, 8):
        if word(at) == address + at + 16 and 0 < word(at + 8) < 4:
            text = content[at + 16 : at + 16 + word(at + 8)].decode("ascii", "replace")
            if re.fullmatch(r"\d+", text):
                return int(text)
    raise LookupError("no number in the object")


for name in NAMES:
    address = ctypes.addressof(ctypes.c_char.in_dll(library, "smpi_MPI_" + name))
    size = ctypes.c_int(-1)
    if library.PMPI_Type_size(ctypes.c_void_p(address), ctypes.byref(size)) != 0:
        raise ValueError(name)
    print(name, number_in(address), size.value)

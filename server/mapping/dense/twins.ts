/** A square matrix, row-major. */
type Matrix = Float64Array | Int32Array;

/**
 * Numbers the kinds of tasks or sites of a matrix: two are of one kind, twins, if exchanging them leaves
 * the matrix as it is. Hosts of one switch are twins, and so are tasks without partners, or all tasks of
 * an all-to-all. Exchanging twins is no change, and a search that counted it as one would do little
 * else. Being twins is transitive, so each is compared with the first of every kind only.
 * O(size² · kinds) at worst; rows that differ mostly do so early.
 */
export function kindsOf(matrix: Matrix, size: number): Int32Array {
  const firsts: number[] = [];
  return Int32Array.from({ length: size }, (_, entry) => {
    const kind = firsts.findIndex((first) => areTwins(matrix, size, first, entry));
    return kind < 0 ? firsts.push(entry) - 1 : kind;
  });
}

function areTwins(matrix: Matrix, size: number, one: number, other: number): boolean {
  if (matrix[one * size + other] !== matrix[other * size + one]) return false;
  for (let entry = 0; entry < size; entry++) {
    if (entry === one || entry === other) continue;
    if (matrix[one * size + entry] !== matrix[other * size + entry]) return false;
    if (matrix[entry * size + one] !== matrix[entry * size + other]) return false;
  }
  return true;
}

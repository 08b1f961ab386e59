/** Row-major; the narrowest type that holds the largest cost. */
export type CostTable = Uint8Array | Uint16Array | Int32Array;

/** Room for `length` costs up to `maximum`, all 0. */
export function costTable(length: number, maximum: number): CostTable {
  if (maximum <= 0xff) return new Uint8Array(length);
  return maximum <= 0xffff ? new Uint16Array(length) : new Int32Array(length);
}

/** The table itself where it can hold `maximum`, else its costs in a wider one. */
export function widened(table: CostTable, maximum: number): CostTable {
  const largest = 2 ** (8 * table.BYTES_PER_ELEMENT) - 1;
  if (maximum <= largest) return table;
  const wider = costTable(table.length, maximum);
  wider.set(table);
  return wider;
}

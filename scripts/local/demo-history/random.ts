/** Random numbers that are the same at every run. */
export type Dice = ReturnType<typeof diceOf>;

/** The generator mulberry32. */
export function diceOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const oneOf = <T>(values: readonly T[]) => values[between(0, values.length - 1)]!;
  return { next, between, oneOf };
}

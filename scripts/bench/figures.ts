export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Between two values where the rank falls between them. NaN of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank % 1);
}

export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

export function roundedPercentile(values: readonly number[], percent: number, digits: number) {
  return rounded(percentile(values, percent), digits);
}

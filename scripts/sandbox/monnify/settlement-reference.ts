/** Monnify's name for a payout: `STL0003090024`. */
export function settlementReference({ id }: { id: number }): string {
  return `STL${String(id).padStart(10, '0')}`;
}

/** The number behind such a name; 0, which is nobody's, for any other text. */
export function toSettlementId(reference: string): number {
  return Number(/^STL(\d{10})$/.exec(reference)?.[1] ?? 0);
}

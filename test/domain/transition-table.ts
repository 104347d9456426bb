import { expect } from 'chai';

export interface Lifecycle<Status extends string, Fact extends string> {
  statuses: readonly Status[];
  facts: readonly Fact[];
  after(status: Status, fact: Fact): string | undefined;
}

export const factsOf = (transitions: Record<string, object>): string[] => [
  ...new Set(Object.values(transitions).flatMap((row) => Object.keys(row))),
];

/**
 * Compares a lifecycle with a table that has a column for each status and a row for each fact; `-`
 * changes nothing.
 */
export function itFollows<Status extends string, Fact extends string>(
  table: string,
  { statuses, facts, after }: Lifecycle<Status, Fact>,
): void {
  const [head, ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/)) as [Status[], ...[Fact, ...string[]][]];

  it('is tested for every fact in every status, and goes as the table says', () => {
    expect(head).to.have.members([...statuses]);
    expect(rows.map(([fact]) => fact)).to.have.members([...facts]);
    for (const [fact, ...outcomes] of rows) {
      expect(outcomes, fact).to.have.length(head.length);
      for (const [index, status] of head.entries())
        expect(after(status, fact) ?? '-', `${status}, then ${fact}`).to.equal(outcomes[index]);
    }
  });
}

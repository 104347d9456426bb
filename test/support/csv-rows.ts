import { expect } from 'chai';

/** By the titles of their columns. */
export function csvRows(csv: string): Record<string, string>[] {
  const [titles = [], ...rows] = cellsOf(csv);
  return rows.map((cells) => {
    expect(cells, 'cells of a row').to.have.lengthOf(titles.length);
    return Object.fromEntries(cells.map((cell, at) => [titles[at]!, cell]));
  });
}

function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    if (quoted === undefined && plain === '' && end === '') break;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\n') rows.push([]);
  }
  return rows.filter(({ length }) => length > 0);
}

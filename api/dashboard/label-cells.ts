const TABLE = /<thead>(.*?)<\/thead>(.*?)<\/table>/gs;
const ROW = /<tr[^>]*>.*?<\/tr>/gs;
const HEADING = /<th[^>]*>(.*?)<\/th>/gs;
const CELL = /<t[dh]\b(?=(?:[^>]* colspan="(\d+)")?)/g;

/**
 * Gives each cell of a table the heading of its column: narrow screens, on which a row is a stack
 * of cells, show it beside the cell (dashboard.css). A column whose heading is hidden, as that of
 * buttons, gives none.
 */
export function labelCells(html: string): string {
  return html.replace(TABLE, (table, head: string, rows: string) => {
    const headings = [...head.matchAll(HEADING)].map(([, heading]) => heading!);
    const labelled = rows.replace(ROW, (row) => {
      let column = 0;
      return row.replace(CELL, (cell, span = '1') => {
        const heading = headings[column] ?? '';
        column += Number(span);
        return heading === '' || heading.includes('<') ? cell : `${cell} data-label="${heading}"`;
      });
    });
    return table.replace(rows, () => labelled);
  });
}

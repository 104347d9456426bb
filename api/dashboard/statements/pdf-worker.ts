import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import pdfmake, { type Content } from 'pdfmake';
import type { Paper } from './pdf.ts';
import type { Cell, Table } from './tables.ts';

// A thread of its own: lays out the pages of a statement.

/** It has the naira sign, and the letters of the languages that businesses here have names in. */
const font = (name: string) =>
  fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/DejaVuSansCondensed${name}.ttf`));
const fonts = { normal: font(''), bold: font('-Bold') };

const { title, business, facts, tables } = workerData as Paper;

pdfmake.setFonts({ DejaVu: fonts });
pdfmake.setLocalAccessPolicy((path) => Object.values(fonts).includes(path));
pdfmake.setUrlAccessPolicy(() => false);
const pdf = pdfmake.createPdf({
  info: { title: `${title} · ${business}` },
  pageSize: 'A4',
  pageMargins: [40, 40, 40, 50],
  defaultStyle: { font: 'DejaVu', fontSize: 8 },
  styles: {
    title: { fontSize: 16, bold: true },
    section: { fontSize: 11, bold: true, margin: [0, 14, 0, 4] },
    small: { fontSize: 7, color: '#555555' },
  },
  content: [
    { text: business, fontSize: 10 },
    { text: title, style: 'title', margin: [0, 2, 0, 8] },
    {
      layout: 'noBorders',
      table: {
        widths: ['auto', '*'],
        body: facts.map(([name, value]) => [{ text: name, color: '#555555' }, value]),
      },
    },
    ...tables.flatMap(sectionOf),
  ],
  footer: (page, pages) => ({
    columns: [
      { text: `${business} · ${title}` },
      { text: `Page ${page} of ${pages}`, alignment: 'right' },
    ],
    style: 'small',
    margin: [40, 15, 40, 0],
  }),
});
parentPort!.postMessage(await pdf.getBuffer());

function sectionOf({ title, empty, columns, rows }: Table): Content[] {
  const heading = { text: title, style: 'section' };
  if (rows.length === 0) return [heading, empty];
  const cellOf = ({ text }: Cell, column: number, bold = false) => ({
    text,
    bold,
    ...(columns[column]!.isNumber && { noWrap: true, alignment: 'right' }),
  });
  const last = columns.length - 1;
  const body = rows.map(({ cells: [first, ...rest], isTotal }): Content[] => {
    if (!isTotal) return [first!, ...rest].map((cell, n) => cellOf(cell, n));
    const [text, number] = [cellOf(first!, 0, true), cellOf(rest[0]!, last, true)];
    return [{ ...text, colSpan: last }, ...Array<Content>(last - 1).fill(''), number];
  });
  const head = columns.map(({ title }, n) => cellOf({ text: title }, n, true));
  const widths = columns.map(({ isNumber }) => (isNumber ? 'auto' : '*'));
  const table = { headerRows: 1, dontBreakRows: true, widths, body: [head, ...body] };
  return [heading, { layout: 'lightHorizontalLines', table }];
}

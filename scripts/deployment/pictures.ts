import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scaleLinear, scaleUtc } from 'd3-scale';
import { Eta } from 'eta';
import { chromium } from 'playwright-core';
import type { Drawing } from '../../api/dashboard/overview/charts.ts';
import { rootFile } from '../bench/processes.ts';
import { findChromium } from '../local/chromium.ts';
import { askRange, type Panel, readPanels } from './prometheus.ts';

const [WIDTH, HEIGHT] = [520, 190];
const STEP_S = 5;
const LABELS = 5;
const MOST_SERIES = 12;

const formats: Record<string, Intl.NumberFormatOptions> = { percentunit: { style: 'percent' } };

const eta = new Eta({ views: rootFile('api/dashboard') });

export interface Span {
  from: Date;
  to: Date;
}

/**
 * Draws what Prometheus says of every query of the Grafana dashboard into `dashboard.html`, and
 * into `dashboard.png` where there is a Chromium. Returns the files.
 */
export async function drawDashboard(url: string, span: Span, folder: string): Promise<string[]> {
  const sections = [];
  for (const panel of await readPanels()) sections.push(await sectionOf(url, panel, span));
  await mkdir(folder, { recursive: true });
  const html = join(folder, 'dashboard.html');
  await writeFile(html, `${HEAD}${sections.join('\n')}</main>\n`);
  const executablePath = findChromium();
  if (!executablePath) return [html];
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`file://${html}`);
  const png = join(folder, 'dashboard.png');
  await page.screenshot({ path: png, fullPage: true });
  return [html, png];
}

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Dashboard</title>
<style>
  body { font: 14px system-ui, sans-serif; margin: 1rem }
  main { display: grid; grid-template-columns: repeat(2, 1fr); gap: 1.5rem }
  h2 { font-size: 1rem } ul { padding: 0 } li { display: inline-block; margin-right: 1rem }
</style><main>
`;

async function sectionOf(url: string, panel: Panel, span: Span): Promise<string> {
  const lines = [];
  for (const { expr, legendFormat } of panel.targets)
    for (const { metric, values } of await askRange(url, expr, { ...span, stepS: STEP_S }))
      lines.push({ name: named(legendFormat, metric), points: toPoints(values) });
  const chart = drawingOf(panel, lines.slice(0, MOST_SERIES), span);
  return `<section><h2>${panel.title}</h2>${eta.render('./parts/chart', { chart })}</section>`;
}

type Point = [time: number, value: number];

const toPoints = (values: [number, string][]): Point[] =>
  values
    .map(([seconds, value]): Point => [seconds * 1_000, Number(value)])
    .filter(([, value]) => Number.isFinite(value));

const named = (legend: string, labels: Record<string, string>) =>
  legend.replaceAll(/\{\{(\w+)\}\}/g, (_whole, label) => labels[label] ?? '');

function drawingOf(
  { title, fieldConfig }: Panel,
  series: { name: string; points: Point[] }[],
  { from, to }: Span,
): Drawing {
  const highest = Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value)));
  const x = scaleUtc([from, to], [0, WIDTH]);
  const y = scaleLinear([0, highest || 1], [HEIGHT, 0]).nice(LABELS);
  const time = x.tickFormat(LABELS, '%H:%M');
  const { format } = new Intl.NumberFormat('en-NG', {
    ...{ notation: 'compact', maximumSignificantDigits: 3 },
    ...formats[fieldConfig.defaults.unit],
  });
  const colourOf = (n: number) => `hsl(${Math.round((360 * n) / series.length)} 70% 40%)`;
  return {
    ...{ description: title, width: WIDTH, height: HEIGHT, left: 48, bottom: 24 },
    legend: series.map(({ name }, n) => ({ name, colour: colourOf(n) })),
    dayLabels: x.ticks(LABELS).map((tick) => ({ x: x(tick), text: time(tick) })),
    valueLabels: y.ticks(LABELS).map((value) => ({ y: y(value), text: format(value) })),
    lines: series.map(({ points }, n) => ({
      points: points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' '),
      colour: colourOf(n),
    })),
    ...{ bars: [], dots: [] },
  };
}

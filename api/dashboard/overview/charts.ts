import { type ScaleContinuousNumeric, scaleBand, scaleLinear } from 'd3-scale';
import { DateTime } from 'luxon';

/** `day`: an ISO date. */
export type Point = { day: string; series: string; value: number; text: string };

export interface Chart {
  points: readonly Point[];
  /** All days, with or without a point. */
  days: readonly string[];
  /** The chart in words, for people who do not see it. */
  description: string;
}

/** What `parts/chart` draws, in units of its view box. */
export interface Drawing {
  description: string;
  width: number;
  height: number;
  /** Of the space left of the days and below the values. */
  left: number;
  bottom: number;
  legend: { name: string; colour: string }[];
  dayLabels: { x: number; text: string }[];
  valueLabels: { y: number; text: string }[];
  bars: { x: number; y: number; width: number; height: number; colour: string; text: string }[];
  /** Their points, as SVG has them. */
  lines: { points: string; colour: string }[];
  dots: { x: number; y: number; colour: string; text: string }[];
}

/** Colours that differ in light and dark, and for people who see fewer colours (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#8a6fbf'];

const WIDTH = 520;
const HEIGHT = 190;
const DAY_LABELS = 8;
const VALUE_LABELS = 4;

const amounts = new Intl.NumberFormat('en-NG', { notation: 'compact' });
const shares = new Intl.NumberFormat('en-NG', { style: 'percent' });

/** Amounts by day, stacked by series: upwards, or downwards where they are negative. */
export function stackedBars(chart: Chart): Drawing {
  const reached = new Map<string, number>();
  const stacked = sorted(chart.points).map((point) => {
    const side = `${point.day} ${point.value < 0}`;
    const from = reached.get(side) ?? 0;
    const to = from + point.value;
    reached.set(side, to);
    return { ...point, low: Math.min(from, to), high: Math.max(from, to) };
  });
  const lowest = Math.min(0, ...stacked.map(({ low }) => low));
  const highest = Math.max(0, ...stacked.map(({ high }) => high));
  const y = scaleLinear([lowest, highest || 1], [HEIGHT, 0]).nice(VALUE_LABELS);
  const { drawing, x, colourOf } = frameOf(chart, y, amounts);
  const bars = stacked.map(({ day, series, text, low, high }) => ({
    ...{ x: rounded(x(day)!), y: rounded(y(high)), width: rounded(x.bandwidth()) },
    ...{ height: rounded(y(low) - y(high)), colour: colourOf(series), text },
  }));
  return { ...drawing, bars };
}

/** Shares from 0 to 1 by day, a line for each series. */
export function shareLines(chart: Chart): Drawing {
  const y = scaleLinear([0, 1], [HEIGHT, 0]);
  const { drawing, x, colourOf } = frameOf(chart, y, shares);
  const dots = sorted(chart.points).map(({ day, series, value, text }) => ({
    ...{ x: rounded(x(day)! + x.bandwidth() / 2), y: rounded(y(value)) },
    ...{ colour: colourOf(series), text },
  }));
  const lines = [...Map.groupBy(dots, ({ colour }) => colour)].map(([colour, own]) => ({
    points: own.map((dot) => `${dot.x},${dot.y}`).join(' '),
    colour,
  }));
  return { ...drawing, lines, dots };
}

function frameOf(
  { points, days, description }: Chart,
  y: ScaleContinuousNumeric<number, number>,
  format: Intl.NumberFormat,
) {
  const names = [...new Set(points.map(({ series }) => series))].sort();
  const colourOf = (series: string) => COLOURS[names.indexOf(series) % COLOURS.length]!;
  const x = scaleBand(days, [0, WIDTH]).padding(0.2);
  const every = Math.ceil(days.length / DAY_LABELS);
  const drawing: Drawing = {
    description,
    ...{ width: WIDTH, height: HEIGHT, left: 48, bottom: 24 },
    legend: names.map((name) => ({ name, colour: colourOf(name) })),
    dayLabels: days
      .filter((_, n) => n % every === 0)
      .map((day) => ({
        x: rounded(x(day)! + x.bandwidth() / 2),
        text: DateTime.fromISO(day).toFormat('d LLL'),
      })),
    valueLabels: y
      .ticks(VALUE_LABELS)
      .map((value) => ({ y: rounded(y(value)), text: format.format(value) })),
    ...{ bars: [], lines: [], dots: [] },
  };
  return { drawing, x, colourOf };
}

/** By day, then by series. */
function sorted(points: readonly Point[]): Point[] {
  const keyOf = ({ day, series }: Point) => `${day} ${series}`;
  return points.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const rounded = (units: number) => Math.round(units * 10) / 10;

import type { Axis, Spec } from 'vega';

/** `day`: an ISO date. */
export type Point = { day: string; series: string; value: number; text: string };

export interface Chart {
  points: readonly Point[];
  /** All days, with or without a point. */
  days: readonly string[];
  /** The chart in words, for people who do not see it. */
  description: string;
}

/** Colours that differ in light and dark, and for people who see fewer colours (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#8a6fbf'];

const WIDTH = 520;
const HEIGHT = 190;

/** The style sheet decides the colour of text and lines, so that a chart fits light and dark. */
const axis = {
  labelColor: 'currentColor',
  titleColor: 'currentColor',
  domainColor: 'currentColor',
  tickColor: 'currentColor',
  gridColor: 'currentColor',
  gridOpacity: 0.15,
  labelFontSize: 12,
};

/** Amounts by day, stacked by series, as SVG that needs neither script nor style. */
export function stackedBars({ points, days, description }: Chart): Promise<string> {
  return svgOf({
    ...frame(description),
    data: [
      {
        name: 'points',
        values: [...points],
        transform: [{ type: 'stack', groupby: ['day'], field: 'value', sort: { field: 'series' } }],
      },
    ],
    scales: [
      dayScale(days, 'band'),
      {
        name: 'y',
        type: 'linear',
        domain: { data: 'points', field: 'y1' },
        nice: true,
        range: 'height',
      },
      colours(points),
    ],
    axes: axes('~s'),
    legends: [legend],
    marks: [
      {
        type: 'rect',
        from: { data: 'points' },
        encode: {
          enter: {
            x: { scale: 'day', field: 'day' },
            width: { scale: 'day', band: 1 },
            y: { scale: 'y', field: 'y1' },
            y2: { scale: 'y', field: 'y0' },
            fill: { scale: 'colour', field: 'series' },
            tooltip: { field: 'text' },
            description: { field: 'text' },
          },
        },
      },
    ],
  });
}

/** Shares from 0 to 1 by day, a line for each series. */
export function shareLines({ points, days, description }: Chart): Promise<string> {
  return svgOf({
    ...frame(description),
    data: [{ name: 'points', values: [...points] }],
    scales: [
      dayScale(days, 'point'),
      { name: 'y', type: 'linear', domain: [0, 1], range: 'height' },
      colours(points),
    ],
    axes: axes('.0%'),
    legends: [legend],
    marks: [
      {
        type: 'group',
        from: { facet: { name: 'line', data: 'points', groupby: 'series' } },
        marks: [
          {
            type: 'line',
            aria: false,
            from: { data: 'line' },
            encode: {
              enter: {
                x: { scale: 'day', field: 'day' },
                y: { scale: 'y', field: 'value' },
                stroke: { scale: 'colour', field: 'series' },
                strokeWidth: { value: 2 },
              },
            },
          },
        ],
      },
      {
        type: 'symbol',
        from: { data: 'points' },
        encode: {
          enter: {
            x: { scale: 'day', field: 'day' },
            y: { scale: 'y', field: 'value' },
            fill: { scale: 'colour', field: 'series' },
            size: { value: 24 },
            tooltip: { field: 'text' },
            description: { field: 'text' },
          },
        },
      },
    ],
  });
}

const frame = (description: string) => ({
  width: WIDTH,
  height: HEIGHT,
  padding: 4,
  autosize: 'pad' as const,
  description,
});

const legend = {
  fill: 'colour',
  orient: 'top' as const,
  direction: 'horizontal' as const,
  labelColor: 'currentColor',
  labelFontSize: 12,
};

function dayScale(days: readonly string[], type: 'band' | 'point') {
  const padding = type === 'band' ? 0.2 : 0.5;
  return { name: 'day', type, domain: [...days], range: 'width' as const, padding };
}

function colours(points: readonly Point[]) {
  const domain = [...new Set(points.map(({ series }) => series))].sort();
  return { name: 'colour', type: 'ordinal' as const, domain, range: COLOURS };
}

function axes(format: string): Axis[] {
  return [
    {
      ...axis,
      orient: 'bottom',
      scale: 'day',
      labelOverlap: true,
      encode: {
        labels: {
          update: { text: { signal: "timeFormat(utcParse(datum.value, '%Y-%m-%d'), '%-d %b')" } },
        },
      },
    },
    { ...axis, orient: 'left', scale: 'y', grid: true, tickCount: 4, format, domain: false },
  ];
}

/** Loaded with the first chart: it is a tenth of what an API process loads to start. */
async function svgOf(spec: Spec): Promise<string> {
  const { parse, View } = await import('vega');
  const view = new View(parse(spec), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

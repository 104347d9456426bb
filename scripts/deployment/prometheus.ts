import { readRoot } from './files.ts';

export interface Panel {
  title: string;
  fieldConfig: { defaults: { unit: string } };
  targets: { expr: string; legendFormat: string }[];
}

export interface Series {
  metric: Record<string, string>;
  /** Seconds since 1970, and a number as a text. */
  values: [number, string][];
}

export async function readPanels(): Promise<Panel[]> {
  return JSON.parse(await readRoot('config/observability/dashboard.json')).panels;
}

/** What Prometheus says of an expression at this moment. */
export async function askNow(
  prometheusUrl: string,
  query: string,
): Promise<Omit<Series, 'values'>[]> {
  return ask(`${prometheusUrl}/api/v1/query`, { query });
}

export async function askRange(
  prometheusUrl: string,
  query: string,
  { from, to, stepS }: { from: Date; to: Date; stepS: number },
): Promise<Series[]> {
  const [start, end] = [from, to].map((time) => String(time.getTime() / 1_000));
  const range = { start: start!, end: end!, step: String(stepS) };
  return ask(`${prometheusUrl}/api/v1/query_range`, { query, ...range });
}

async function ask<Found>(url: string, parameters: Record<string, string>): Promise<Found> {
  const response = await fetch(`${url}?${new URLSearchParams(parameters)}`);
  const { status, data, error } = (await response.json()) as Answer<Found>;
  if (status !== 'success') throw new Error(`${parameters.query}: ${error}`);
  return data.result;
}

interface Answer<Found> {
  status: string;
  error?: string;
  data: { result: Found };
}

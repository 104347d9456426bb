/**
 * A trace is about a row: its trace id is the UUID in the row's id, so nothing is stored or
 * carried, and what a lost job or a restored backup leads to is in the same trace.
 */
export interface Tracing extends AsyncDisposable {
  isOn: boolean;
  /** Spans that begin during the work are children of its span. */
  inSpan<T>(span: NewSpan, work: (attributes: Attributes) => Promise<T>): Promise<T>;
  inRequest(requestId: string, work: () => void): void;
  recordRequest(request: TracedRequest): void;
}

export interface TracingSettings {
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of traces that is sent, 0 to 1. */
  ratio: number;
}

export type Attributes = Record<string, string | number | boolean | undefined>;

export interface NewSpan {
  name: string;
  /** True: a call to another party. */
  isCall?: boolean;
  /** Absent: the trace where it runs. */
  subject?: string | undefined;
  /** Rows whose traces led to it. */
  links?: readonly string[];
  attributes?: Attributes;
}

export interface TracedRequest {
  requestId: string;
  /** The row whose trace begins with the request. */
  created?: string | undefined;
  name: string;
  durationMs: number;
  failed: boolean;
  attributes: Attributes;
}

/** Traces that go nowhere and cost nothing. */
export const noTracing: Tracing = {
  isOn: false,
  inSpan: (_span, work) => work({}),
  inRequest: (_requestId, work) => work(),
  recordRequest: () => {},
  [Symbol.asyncDispose]: async () => {},
};

/**
 * Traces by OpenTelemetry. A trace is about a charge, a refund or another row that has an id: its
 * trace id is the UUID in that id, so nothing is stored, no job carries anything, and what a lost
 * job or a restored backup leads to is in the same trace.
 */
export interface Tracing extends AsyncDisposable {
  isOn: boolean;
  /** Runs work in a span, which ends with it; spans that begin meanwhile are its children. */
  inSpan<T>(span: NewSpan, work: (attributes: Attributes) => Promise<T>): Promise<T>;
  /** Runs the handlers of a request: spans that begin meanwhile are children of its span. */
  inRequest(requestId: string, work: () => void): void;
  /** Records a request that has ended. */
  recordRequest(request: TracedRequest): void;
}

/** Where traces are sent. */
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
  /** The row whose trace it belongs to; absent: where it runs. */
  subject?: string | undefined;
  /** Rows whose traces led to it. */
  links?: readonly string[];
  attributes?: Attributes;
}

export interface TracedRequest {
  requestId: string;
  /** The row that the request created: the trace of that row begins with the request. */
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

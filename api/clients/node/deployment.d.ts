/** Written into the package when a deployment hands it out. */
export declare const version: string;
export declare const baseUrl: string;
export declare const operations: Record<string, Record<string, Operation>>;

export interface Operation {
  method: string;
  path: string;
  /** Takes no credential. */
  open?: boolean;
  idempotent?: boolean;
  /** It takes a Test-Scenario. */
  scenario?: boolean;
  list?: boolean;
  input?: { in: 'query' | 'body' | 'image'; fields?: Record<string, string> };
}

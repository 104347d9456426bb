import { createDocument } from '@mixmark-io/domino';

export interface Page {
  /** Below the root of the reference. */
  path: string;
  title: string;
  html: string;
}

/** The part of a page that says something. */
export function contentOf(html: string) {
  return createDocument(html).querySelector('main')!;
}

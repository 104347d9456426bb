/** As much of a document as the reference reads. */
declare module '@mixmark-io/domino' {
  export interface Element {
    readonly id: string;
    readonly textContent: string;
    querySelector(selectors: string): Element | null;
    querySelectorAll(selectors: string): Iterable<Element>;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
  }
  export function createDocument(html: string): Element;
}

declare module '@joplin/turndown-plugin-gfm' {
  export const gfm: import('turndown').Plugin;
}

/** What is used of it: the types made for it bring a browser's globals with them. */
declare module 'pdfmake' {
  export type Content = string | readonly Content[] | { readonly [name: string]: unknown };

  const pdfmake: {
    setFonts(fonts: Record<string, { normal: string; bold: string }>): void;
    setLocalAccessPolicy(mayRead: (path: string) => boolean): void;
    setUrlAccessPolicy(mayRead: (url: string) => boolean): void;
    createPdf(document: {
      content: Content;
      footer: (page: number, pages: number) => Content;
      [setting: string]: unknown;
    }): { getBuffer(): Promise<Buffer> };
  };
  export default pdfmake;
}

interface Generator {
  language: string;
  /** Of openapi-generator. */
  name: string;
  options: readonly string[];
  /** What its users should know. */
  note: string;
}

/** Of openapi-generator, on Maven. */
export const GENERATOR_VERSION = '7.25.0';

/** What `/docs` tells for each language. CI generates, compiles and runs clients by it. */
export const generators = {
  typescript: {
    language: 'TypeScript',
    name: 'typescript-fetch',
    options: [],
    note: 'Compiles in strict mode.',
  },
  java: {
    language: 'Java',
    name: 'java',
    options: ['--library', 'native'],
    note: 'For Java 11 and later.',
  },
  go: {
    language: 'Go',
    name: 'go',
    options: ['--additional-properties=enumClassPrefix=true'],
    note: 'Without the option, words of different enumerations have one name and do not compile.',
  },
  python: { language: 'Python', name: 'python', options: [], note: 'Uses Pydantic 2.' },
  php: {
    language: 'PHP',
    name: 'php',
    options: [],
    note:
      'Decodes no event by its type: name the class, such as `ChargeSucceededEvent`. It checks ' +
      'patterns byte by byte, so your own references should be ASCII. Give days as texts.',
  },
} as const satisfies Record<string, Generator>;

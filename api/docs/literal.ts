export interface Syntax {
  true: string;
  false: string;
  null: string;
  text: (value: string) => string;
  pair: (name: string, value: string) => string;
  brackets: {
    list: readonly [string, string];
    object: readonly [string, string];
    emptyObject: string;
  };
  /** Spaces of one step of indentation. */
  step: number;
}

/** One field a line, indented by `depth` steps from the second line on. */
export function literalOf(value: unknown, syntax: Syntax, depth = 0): string {
  if (value === null) return syntax.null;
  if (typeof value === 'boolean') return value ? syntax.true : syntax.false;
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return String(value);
  const { list, object, emptyObject } = syntax.brackets;
  if (Array.isArray(value)) {
    return `${list[0]}${value.map((item) => literalOf(item, syntax, depth)).join(', ')}${list[1]}`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return emptyObject;
  const inner = ' '.repeat(syntax.step * (depth + 1));
  const lines = entries.map(
    ([name, item]) => `${inner}${syntax.pair(name, literalOf(item, syntax, depth + 1))},`,
  );
  return [object[0], ...lines, `${' '.repeat(syntax.step * depth)}${object[1]}`].join('\n');
}

const words = { true: 'true', false: 'false', null: 'null' };

export const javaScript: Syntax = {
  ...words,
  text: javaScriptText,
  pair: (name, value) => `${/^[A-Za-z_]\w*$/.test(name) ? name : javaScriptText(name)}: ${value}`,
  brackets: { list: ['[', ']'], object: ['{', '}'], emptyObject: '{}' },
  step: 2,
};

/** A JSON text is one of JavaScript; single quotes need fewer escapes. */
function javaScriptText(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

export const python: Syntax = {
  true: 'True',
  false: 'False',
  null: 'None',
  text: (value) => JSON.stringify(value),
  pair: (name, value) => `${JSON.stringify(name)}: ${value}`,
  brackets: { list: ['[', ']'], object: ['{', '}'], emptyObject: '{}' },
  step: 4,
};

export const php: Syntax = {
  ...words,
  text: phpText,
  pair: (name, value) => `${phpText(name)} => ${value}`,
  brackets: { list: ['[', ']'], object: ['[', ']'], emptyObject: 'new stdClass()' },
  step: 4,
};

function phpText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

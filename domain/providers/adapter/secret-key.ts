import type { Mode } from '../../shared/reader.ts';
import type { CredentialField } from '../port/definition.ts';

interface KeyForm extends Pick<CredentialField, 'description' | 'sample'> {
  called: string;
  endsWith?: string;
  prefixes: Record<Mode, string>;
  patterns: Record<Mode, RegExp>;
}

export function keyField({ called, endsWith, prefixes, patterns, ...field }: KeyForm) {
  const end = endsWith ? ` and ends with ${endsWith}` : '';
  const problemOf = (key: string, mode: Mode) => {
    const keyMode = (['live', 'test'] as const).find((each) => patterns[each].test(key));
    if (keyMode === mode) return undefined;
    return keyMode
      ? `is a ${keyMode} key; in ${mode} mode it must be one that begins with ${prefixes[mode]}`
      : `must be the account's ${called}, which begins with ${prefixes[mode]}${end}`;
  };
  return { ...field, maxLength: 200, problemOf };
}

import type { Credentials } from '../../shared/credentials.ts';
import type { Fields } from '../../shared/problems.ts';
import type { Mode } from '../../shared/reader.ts';
import type { ProviderDefinition } from './definition.ts';

export function credentialProblems(
  { credentialFields }: ProviderDefinition,
  credentials: Credentials,
  mode: Mode,
): Fields {
  const problems = Object.entries(credentialFields).map(
    ([name, field]) => [name, field.problemOf(credentials[name] ?? '', mode)] as const,
  );
  return Object.fromEntries(
    problems.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function sampleCredentials(
  { credentialFields }: ProviderDefinition,
  hex: (digits: number) => string,
): Credentials {
  const samples = Object.entries(credentialFields).map(([name, { sample }]) => [name, sample(hex)]);
  return Object.fromEntries(samples);
}

export function exampleHex(digits: number): string {
  return '0123456789abcdef'.repeat(Math.ceil(digits / 16)).slice(0, digits);
}

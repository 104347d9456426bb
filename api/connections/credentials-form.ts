import Type from 'typebox';
import { exampleHex } from '../../domain/providers/port/credentials.ts';
import type { ProviderDefinition } from '../../domain/providers/port/definition.ts';
import { providers } from '../../domain/providers/registry.ts';
import type { Credentials } from '../../domain/shared/credentials.ts';
import { body, text } from '../http/schema.ts';

export function credentialsSchema({ name, credentialFields }: ProviderDefinition) {
  const fields = Object.entries(credentialFields).map(
    ([field, { description, maxLength, sample }]) => {
      const examples = [sample(exampleHex)];
      return [field, text(maxLength, { format: 'printable', description, examples })] as const;
    },
  );
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}Credentials`;
  return body(title, Object.fromEntries(fields));
}

/**
 * Of any provider: the endpoint checks them once it knows which; the document shows alternatives.
 */
export const credentialsForm = Type.Unsafe<Credentials>({
  title: 'Credentials',
  description:
    'By the provider’s own names, and of the mode of your token. ' +
    'The provider is asked whether it accepts them before they are stored.',
  type: 'object',
  maxProperties: 20,
  additionalProperties: text(500),
  alternatives: Object.values(providers).map(credentialsSchema),
});

import type { Context } from '../../config/context.ts';
import { openCredentials } from '../../domain/accounts/connection/connection.ts';
import {
  type ConnectionRow,
  MAX_POSITION,
  statusOf,
} from '../../domain/accounts/connection/connections.ts';
import { exampleHex, sampleCredentials } from '../../domain/providers/credentials.ts';
import type { ProviderDefinition } from '../../domain/providers/definition.ts';
import type { Credentials } from '../../domain/providers/provider.ts';
import { providers } from '../../domain/providers/registry.ts';
import { type Slot, slots } from '../../domain/shared/slot.ts';
import type { JsonSchema } from '../http/route.ts';
import { id, input, listOf, mode, object, string, text, time } from '../http/schema.ts';

const provider: JsonSchema = { enum: slots };
const status: JsonSchema = {
  description: '`disabled`: nothing new is sent through it; what was sent is still followed up.',
  enum: ['enabled', 'disabled'],
};
const positionOrder = 'The order in which `auto` tries the connections of a mode.';
const position: JsonSchema = {
  description: positionOrder,
  type: 'integer',
  minimum: 1,
  maximum: MAX_POSITION,
};

/** The credentials of one provider. */
export function credentialsSchema({ credentialFields }: ProviderDefinition): JsonSchema {
  const properties = Object.entries(credentialFields).map(
    ([name, { description, maxLength, sample }]) => {
      const examples = [sample(exampleHex)];
      return [name, { ...printable(maxLength), description, examples }] as const;
    },
  );
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(credentialFields),
    properties: Object.fromEntries(properties),
  };
}

function printable(maxLength: number): JsonSchema {
  return { type: 'string', minLength: 1, maxLength, format: 'printable' };
}

const forms = Object.entries(providers).map(([adapter, provider]) => {
  const names = Object.keys(provider.credentialFields).map((name) => `\`${name}\``);
  const example = sampleCredentials(provider, exampleHex);
  return { text: `${adapter}: ${names.join(', ')}.`, example };
});

/** What is known of any provider's credentials; its own schema is held to them besides. */
const credentials: JsonSchema = {
  description: [
    'By the provider’s own names, and of the mode of your token.',
    ...forms.map((form) => form.text),
    'The provider is asked whether they are good before they are kept.',
  ].join(' '),
  type: 'object',
  maxProperties: 20,
  additionalProperties: text(500),
  examples: forms.map((form) => form.example),
};

/** The body of `POST /connections`. */
export const newConnectionBody = input(['provider', 'credentials'], {
  provider,
  credentials,
  position,
});

export interface NewConnectionBody {
  provider: Slot;
  credentials: Credentials;
  position?: number;
}

/** The body of `PATCH /connections/{id}`. */
export const connectionChangesBody = input([], { credentials, status, position });

export interface ConnectionChangesBody {
  credentials?: Credentials;
  status?: 'enabled' | 'disabled';
  position?: number;
}

export const connection = object('Connection', {
  object: { const: 'connection' },
  id: id('con'),
  provider,
  adapter: { description: 'The provider behind the slot.', enum: Object.keys(providers) },
  mode,
  status,
  position: { description: positionOrder, type: 'integer', minimum: 0 },
  sandbox: {
    description: 'True: it calls the sandbox of this installation, not the provider.',
    type: 'boolean',
  },
  credentials: {
    description: 'The end of each, to know them by.',
    type: 'object',
    additionalProperties: string,
    examples: [{ secret_key: '…6789' }],
  },
  notification_url: {
    ...string,
    description: 'Where the provider must send its notifications: enter it there.',
    examples: ['https://pay.example.com/notifications/con_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  },
  created_at: time,
});

export const connections = listOf(connection);

export const connectionCheck = object('ConnectionCheck', {
  object: { const: 'connection_check' },
  ok: {
    description: 'Whether the provider accepts the credentials now.',
    type: 'boolean',
    examples: [true],
  },
  message: {
    ...string,
    description: 'What came of asking, in a sentence.',
    examples: ['The provider accepts the credentials.'],
  },
  checked_at: { ...time, description: 'When the provider was asked.' },
});

/** A connection as it is shown: never with its secrets. */
export function connectionView({ env, vault }: Context, row: ConnectionRow) {
  return {
    object: 'connection',
    id: row.id,
    provider: row.slot,
    adapter: row.adapter,
    mode: row.mode,
    status: statusOf(row),
    position: row.position,
    sandbox: row.sandbox,
    credentials: masked(openCredentials(vault, row)),
    notification_url: `${env.publicUrl}/notifications/${row.id}`,
    created_at: row.created_at.toISOString(),
  };
}

/** What is so short that its end would tell half of it shows nothing. */
const SHORTEST_SHOWN = 12;

function masked(credentials: Credentials): Credentials {
  const mask = (value: string) => `…${value.length < SHORTEST_SHOWN ? '' : value.slice(-4)}`;
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, mask(value)]),
  );
}

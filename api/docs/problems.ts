import type { ProblemCode } from '../../domain/shared/problems.ts';

/** Why an error is met, and what to do about each reason; with backticks. */
export interface Help {
  causes: readonly (readonly [cause: string, mend: string])[];
  /** Whether the same request may be sent again as it is. */
  again: string;
}

const NEVER = 'No: the same request will be refused again. Nothing was done.';

export const helps: Record<ProblemCode, Help> = {
  validation_failed: {
    causes: [
      [
        'A field is missing, has the wrong type, or is outside its limits.',
        '`fields` names each with its rule. Amounts are whole kobo, sent as numbers: `250000`, not `"2500.00"`.',
      ],
      [
        'A field is unknown to the endpoint.',
        'Take it out, or look for its right name in the reference: unknown fields are refused so that a misspelt one is not lost without a word.',
      ],
      [
        'A header is malformed; `fields` has it under its own name.',
        'An `Idempotency-Key` is 1 to 120 printable ASCII characters.',
      ],
      [
        'The body is not JSON that can be read (status 400).',
        'Send one JSON object in UTF-8. Let a library write it.',
      ],
      [
        'A cursor is of another list, or of the same with other filters.',
        'Send `next_cursor` of the page before, with the same filters.',
      ],
    ],
    again: NEVER,
  },
  unauthorized: {
    causes: [
      [
        'There is no `Authorization` header, or it is no Bearer.',
        'Send `Authorization: Bearer <credential>`.',
      ],
      [
        'The key was revoked, has ended, or was mistyped.',
        'Make a new one in the dashboard under Developers. A key is shown once, when it is made.',
      ],
      [
        'An access token is older than 15 minutes.',
        'Ask `POST /v1/auth/refresh` for the next, or sign in again.',
      ],
      ['The key belongs to another deployment.', 'Check the base address.'],
    ],
    again: 'Not with this credential. Nothing was done.',
  },
  forbidden: {
    causes: [
      [
        'The kind of credential may not do this: a public key may only create charges and read their checkouts.',
        'Use a secret key on your server. The reference says for each endpoint who may call it.',
      ],
      [
        'The role of the member does not allow it: only an Owner decides refunds.',
        'Ask an Owner, or have your role changed.',
      ],
      [
        'Your business wants another person to approve, or a second one.',
        'Let another Owner decide. The rule is in the dashboard under Business.',
      ],
    ],
    again: 'Only by whoever may. Nothing was done.',
  },
  https_required: {
    causes: [
      [
        'The request came over plain http to a host that is not local.',
        'Use https. In development plain http is taken on `localhost`, `*.localhost` and `127.0.0.1`. The credential crossed the network readable: revoke it.',
      ],
      [
        'A proxy in front of the service ends TLS and does not say so.',
        'Whoever runs the service sets `TRUST_PROXY`, and the proxy `X-Forwarded-Proto`.',
      ],
    ],
    again: 'Over https. Nothing was done.',
  },
  not_found: {
    causes: [
      [
        'A live object is read with a test key, or a test object with a live key.',
        'Use a key of the mode that the object was made in: `mode` is in every object.',
      ],
      ['It is of another business, or the id is mistyped.', 'Compare it with the dashboard.'],
      ['The address does not exist.', 'Compare path and method with the reference.'],
    ],
    again: NEVER,
  },
  method_not_allowed: {
    causes: [
      ['The address exists, but not with this method.', 'The header `Allow` lists those it has.'],
    ],
    again: NEVER,
  },
  idempotency_conflict: {
    causes: [
      [
        'The key was used for another body.',
        'One key means one request: use a new key for a new order, and build the body of a repetition from the same stored values.',
      ],
      [
        'The first answer showed a secret and is older than 24 hours.',
        'Read or list the object instead. It was made; its secret is not shown again.',
      ],
    ],
    again: 'With the body that the key was first used for. Nothing was done.',
  },
  invalid_state: {
    causes: [
      [
        'A refund is asked for a charge that is not paid, is disputed, or is refunded whole.',
        'Read the charge: `status` and `refunded_kobo` say how it stands.',
      ],
      ['A refund was decided already, or a link is paid.', 'Read it again: somebody was faster.'],
      ['A charge that is final is cancelled.', 'What was paid is refunded instead.'],
    ],
    again: 'Only once the state has changed. Nothing was done.',
  },
  payload_too_large: {
    causes: [
      [
        'The body is larger than 100 kB, a picture than 200 kB, a file of a dispute than 2 MB.',
        'Send less: `metadata` is for references, not for documents.',
      ],
    ],
    again: NEVER,
  },
  unsupported_media_type: {
    causes: [['The body is not sent as JSON.', 'Send `Content-Type: application/json`, in UTF-8.']],
    again: NEVER,
  },
  no_provider: {
    causes: [
      [
        'No provider is connected in the mode of the key.',
        'An Owner connects one in the dashboard under Providers, in that mode.',
      ],
      [
        'The provider that was asked for is not connected, or disabled.',
        'Leave `provider` out: the service then takes one that works.',
      ],
    ],
    again: 'Once a provider is connected. Nothing was done.',
  },
  rate_limited: {
    causes: [
      [
        'More requests a minute than the credential has.',
        'Wait the seconds of `Retry-After`. Spread bursts, and receive webhooks instead of asking in a loop.',
      ],
    ],
    again: 'Yes, after `Retry-After` seconds. Nothing was done.',
  },
  server_error: {
    causes: [
      [
        'Something failed on our side.',
        'Send it again with the same `Idempotency-Key`. If it stays, tell support the `Request-Id` of the answer.',
      ],
    ],
    again: 'Yes, with the same `Idempotency-Key`: it may have been done, and is not done twice.',
  },
  unavailable: {
    causes: [
      [
        'The service cannot reach its database, or the provider it had to ask.',
        'Wait the seconds of `Retry-After`.',
      ],
      ['The database needed too long for a list.', 'Ask for fewer days, or use more filters.'],
    ],
    again: 'Yes, after `Retry-After` seconds, with the same `Idempotency-Key`.',
  },
};

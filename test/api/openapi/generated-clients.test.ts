import { expect } from 'chai';
import { formats } from '../../../api/http/formats.ts';
import type { JsonSchema } from '../../../api/http/schema.ts';
import { routes } from '../../../api/routes.ts';
import { openApi } from '../../support/openapi.ts';
import { everySchema, operations } from './walk-document.ts';

const { schemas } = openApi.components;

describe('Clients generated from the OpenAPI document', () => {
  it('hold every amount in 64 bits', () => {
    const amounts = everySchema().filter(({ pointer }) => /_kobo(\/schema)?$/.test(pointer));
    expect(amounts.length).to.be.greaterThan(20);
    for (const { pointer, schema } of amounts) expect(schema.format, pointer).to.equal('int64');
  });

  it('have a name for each body, answer, enumeration and event, and one for every refusal', () => {
    for (const { operation } of operations) {
      const { requestBody, responses, operationId } = operation;
      const json = requestBody?.content['application/json'];
      if (json) expect(Object.keys(json.schema)).to.deep.equal(['$ref']);
      for (const [status, answer] of Object.entries(responses)) {
        const { content } =
          '$ref' in answer ? openApi.components.responses[answer.$ref.split('/').at(-1)!]! : answer;
        const { $ref } = content!['application/json'].schema;
        expect($ref, `${operationId} ${status}`).to.match(/^#\/components\/schemas\/\w+$/);
        if (Number(status) >= 400) expect($ref).to.equal('#/components/schemas/Error');
      }
    }
    const enums = everySchema().filter(({ schema }) => schema.enum);
    for (const { pointer } of enums) expect(pointer).to.match(/^\/components\/schemas\/\w+$/);
    for (const { post } of Object.values(openApi.webhooks))
      expect(Object.keys(post.requestBody!.content['application/json']!.schema)).to.deep.equal([
        '$ref',
      ]);
    for (const name of Object.keys(schemas)) expect(name).not.to.match(/^New/);
  });

  it('find a type at every constant, enumeration and null', () => {
    for (const { pointer, schema } of everySchema()) {
      if (schema.enum || 'const' in schema) expect(schema.type, pointer).to.equal('string');
      if (!schema.anyOf) continue;
      expect(schema.anyOf, pointer).to.have.length(2);
      const [named, none] = schema.anyOf as JsonSchema[];
      expect(Object.keys(named!), pointer).to.deep.equal(['$ref']);
      expect(none, pointer).to.deep.equal({ type: 'null' });
    }
  });

  it('find a pattern at every format of ours, which takes all that the format takes', () => {
    for (const { pointer, schema } of everySchema())
      if (formats[String(schema.format)]) expect(schema.pattern, pointer).to.be.a('string');
    const values = [
      ...['', 'a', 'a b', '\0', '\t', 'é', '\u0085', '__proto__', '+234 803-123', '08031234567'],
      ...['SV-1', 'SV-0', '2026-01-31', '2026-01-31T09:00Z', '2026-01-31T09:00:00.123+01:00'],
      ...['https://shop.example/a', 'HTTPS://shop.example:8443', 'https:shop.example'],
      ...['http://localhost:3000', 'https://[::1]'],
    ];
    for (const [name, { isValid, pattern }] of Object.entries(formats))
      for (const value of values.filter(isValid))
        expect(new RegExp(pattern, 'u').test(value), `${name} ${value}`).to.equal(true);
  });

  it('find no object closed by a keyword, which some generators read as open', () => {
    for (const { pointer, schema } of everySchema())
      expect(schema.additionalProperties, pointer).not.to.equal(false);
    for (const { body } of routes) if (body) expect(body.additionalProperties).to.equal(false);
    expect(openApi.info.description).to.include('A request holds only the fields and parameters');
  });

  it('take fields that later versions add to an answer', () => {
    const answered = new Set<string>();
    const visit = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return;
      const name = String((value as JsonSchema).$ref).split('/schemas/')[1];
      if (name && !answered.has(name)) {
        answered.add(name);
        visit(schemas[name]);
      }
      Object.values(value).forEach(visit);
    };
    for (const { operation } of operations) visit(operation.responses);
    visit(openApi.components.responses);
    for (const name of answered)
      if (schemas[name]!.properties)
        expect(schemas[name]!.additionalProperties, name).to.equal(true);
    expect(answered.size).to.be.greaterThan(40);
  });
});

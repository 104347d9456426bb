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
    for (const { post } of Object.values(openApi['x-webhooks']))
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

  it('find the pattern that is checked at every format of ours that is sent', () => {
    for (const [title, body] of Object.entries(schemas)) {
      if (body.additionalProperties !== false) continue;
      for (const [name, field] of Object.entries(body.properties as Record<string, JsonSchema>)) {
        const { pattern } = formats[String(field.format)] ?? {};
        if (pattern && field.format !== 'date')
          expect(field.pattern, `${title}.${name}`).to.equal(pattern);
      }
    }
    expect(schemas.UpdateBusinessBody!.properties).to.have.nested.property('support_phone.pattern');
  });

  it('find the fields of each body closed, as the service does', () => {
    for (const { operation } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema as
        | { $ref: string }
        | undefined;
      if (schema) expect(schemas[schema.$ref.split('/').at(-1)!]!.additionalProperties).to.be.false;
    }
    for (const { body } of routes) if (body) expect(body.additionalProperties).to.equal(false);
  });

  it('tell events apart by a pattern, and find none at a text that may be null', () => {
    const { oneOf, discriminator } = schemas.Event as {
      oneOf: { $ref: string }[];
      discriminator: { mapping: Record<string, string> };
    };
    expect(Object.values(discriminator.mapping)).to.deep.equal(oneOf.map(({ $ref }) => $ref));
    const types = Object.keys(discriminator.mapping);
    for (const [type, $ref] of Object.entries(discriminator.mapping)) {
      const event = schemas[$ref.split('/').at(-1)!]!.properties as Record<string, JsonSchema>;
      const form = new RegExp(String(event.type!.pattern));
      expect(types.filter((other) => form.test(other))).to.deep.equal([type]);
    }
    for (const { pointer, schema } of everySchema())
      if (Array.isArray(schema.type) && !/Body|Update|patternProperties/.test(pointer))
        expect(schema.pattern, pointer).to.equal(undefined);
  });

  it('find no webhooks, of which typescript-fetch makes what does not compile', () => {
    expect(Object.keys(openApi)).to.include('x-webhooks').and.not.include('webhooks');
  });

  it('find no pattern at a date, of which PHP makes an object', () => {
    for (const { pointer, schema } of everySchema())
      if (schema.format === 'date') expect(schema.pattern, pointer).to.equal(undefined);
  });

  it('find no names of words that repeat the name of their enumeration', () => {
    expect(JSON.stringify(openApi)).not.to.include('x-enum-varnames');
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

import type { JsonSchema } from '../http/schema.ts';

/** The parts that this service writes and the reference reads. */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
    contact: { name: string; url: string };
  };
  servers: { url: string; description: string }[];
  tags: Tag[];
  paths: Record<string, Partial<Record<Method, Operation>>>;
  /** What `webhooks` would hold: typescript-fetch makes code of it that does not compile. */
  'x-webhooks': Record<string, { post: Operation }>;
  components: Components;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type Tag = { name: string; description: string };

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: BodyContent };
  responses: Record<string, Answer | Reference>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
}

export interface Answer {
  description: string;
  headers?: Record<string, Reference>;
  content?: Content;
  links?: Record<string, Reference>;
}

/** Parameters are taken from the answer. */
export type Link = { operationId: string; parameters: Record<string, string> };

export type Content = { 'application/json': { schema: JsonSchema; example?: unknown } };

export type BodyContent = Partial<Content> & Record<`image/${string}`, { schema: JsonSchema }>;

export type Header = { description: string; required: boolean; schema: JsonSchema };

export interface Components {
  schemas: Record<string, JsonSchema>;
  parameters: Record<string, Parameter>;
  headers: Record<string, Header>;
  responses: Record<string, Answer>;
  links: Record<string, Link>;
  securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>;
}

/** E.g. `#/components/schemas/Checkout`. */
export type Reference = { $ref: string };

import Type, { type Static } from 'typebox'

/** The names are in snake_case, the one exception in the API (conventions 4). */
export const TestWebhookResponse = Type.Object(
  {
    url: Type.String({ format: 'uri' }),
    response_status: Type.Integer({ description: "HTTP status of the endpoint's response." }),
    response_body: Type.Optional(
      Type.String({
        description:
          "Body of the endpoint's response. Present only if the installation allows webhooks to private addresses.",
      }),
    ),
  },
  { $id: 'TestWebhookResponse' },
)
export type TestWebhookResponse = Static<typeof TestWebhookResponse>

import { bearer, ChatCompletionsModel, chatCompletionsService, type EgressClient } from 'nestjs-palette';
import type { EgressServiceOptions } from 'nestjs-palette';

/** A provider that speaks OpenAI's chat completions. */
export interface Provider {
  /** `https://api.openai.com/v1`, say. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
}

export const modelService = chatCompletionsService('model');

/** The provider that the environment names; undefined where it names none, and a canned one answers. */
export function providerOf(environment: NodeJS.ProcessEnv): Provider | undefined {
  const { MODEL_BASE_URL: baseUrl, MODEL_API_KEY: apiKey, MODEL_NAME: model = 'gpt-5-mini' } = environment;
  return baseUrl === undefined || baseUrl === '' ? undefined : { baseUrl, apiKey, model };
}

/** How the hop is declared. Without a provider nothing leaves: only the handlers of this process answer. */
export function hopTo(provider: Provider | undefined): Omit<EgressServiceOptions, 'acknowledgeDataEgress'> {
  if (provider === undefined) {
    return { baseUrl: 'https://api.provider.example/v1', egressSensitive: true, handlersOnly: true };
  }
  const { baseUrl, apiKey } = provider;
  const credentials = apiKey === undefined ? {} : { credentials: bearer(() => apiKey) };
  return { baseUrl, egressSensitive: true, timeoutMs: 300_000, ...credentials };
}

export function modelOf(
  client: EgressClient<typeof modelService>,
  provider: Provider | undefined,
): ChatCompletionsModel {
  return new ChatCompletionsModel({ client, model: provider?.model ?? 'canned' });
}

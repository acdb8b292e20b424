import type { Dispatcher } from "undici";

/** Observes the requests of a transport, to show their progress to a user. */
export interface RequestWatch {
  /** Called when a request begins. `place` is its URL without query. */
  begin(place: string): WatchedRequest;
}

export interface WatchedRequest {
  /** Called for each chunk of a request or response body, with its length in bytes. */
  moved(bytes: number): void;
  end(): void;
}

/** Returns an interceptor that reports each request, including its retries, to the watch. */
export function watchRequests(watch: RequestWatch): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const [path = ""] = options.path.split("?");
    const watched = watch.begin(`${String(options.origin ?? "").replace(/\/$/, "")}${path}`);
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (...start) => handler.onResponseStart?.(...start),
      onResponseStarted: () => handler.onResponseStarted?.(),
      onRequestSent: () => handler.onRequestSent?.(),
      onBodySent: (chunk) => {
        watched.moved(chunk.length);
        handler.onBodySent?.(chunk);
      },
      onResponseData: (controller, chunk) => {
        watched.moved(chunk.length);
        handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd: (controller, trailers) => {
        watched.end();
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => {
        watched.end();
        handler.onResponseError?.(controller, error);
      },
    });
  };
}

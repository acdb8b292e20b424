import type { Dispatcher } from "undici";

/** Sees the requests of a transport, for a user who waits for them. */
export interface RequestWatch {
  /** A request begins; `place` is its URL without query. */
  begin(place: string): WatchedRequest;
}

export interface WatchedRequest {
  /** Bytes of a body came or went. */
  moved(bytes: number): void;
  end(): void;
}

/** An interceptor that reports each request, its repetitions included, to the watch. */
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

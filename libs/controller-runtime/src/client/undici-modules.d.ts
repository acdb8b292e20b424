// The two parts of undici that we load: importing its index costs three times as much start-up time (fetch, caches, web sockets).
declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";
  const PoolClass: typeof Pool;
  export default PoolClass;
}
declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  /** Bound to a dispatcher by `.call(dispatcher, options)`. */
  const request: (
    this: Pick<Dispatcher, "dispatch">,
    options: Dispatcher.RequestOptions,
  ) => Promise<Dispatcher.ResponseData>;
  export default request;
}

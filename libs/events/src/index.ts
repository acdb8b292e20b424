export { deletedPhase } from "./cloud-event.ts";
export type { CloudEvent, EventData, LandscaperEvent } from "./cloud-event.ts";
export { createEventPublisher } from "./create-event-publisher.ts";
export type { EventPublisherOptions } from "./create-event-publisher.ts";
export { createSilentPublisher } from "./event-publisher.ts";
export type { EventClock, EventLog, EventPublisher, PublisherStats } from "./event-publisher.ts";
export { eventSubject } from "./event-subject.ts";

// The data that `spotsim serve --ui` sends. docs/control-api.yaml describes the form.
import {Change} from "../data";

export interface World {
  scenario: string;
  seed: number;
  begin: string;
  speed: string;
}

// A row of GET /_spotsim/instances.
export interface Instance {
  instance: string;
  state: string;
  pool: string;
  spot: boolean;
  launched_at: string;
  notice_at: string|null;
}

// An event of the stream: all changes since the previous event.
export interface Update extends Change {
  world: World|null;  // of a stream's first event, and after a reset
  now: string;
  seconds: number;
  cost_usd: number;
  calls: number;
  instances: Instance[];
}

export interface Parameter {
  name: string;
  default: string;
  words: string;
  meaning: string;
  required: boolean;
}

export interface FaultKind {
  kind: string;
  does: string;
  parameters: Parameter[];
}

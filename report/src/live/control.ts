// The control API and its stream of events. Both need a header that a page of another site cannot
// send (docs/serve.md). EventSource cannot send headers, so fetch reads the stream.

const HEADERS = {
  "X-Spotsim-Control": "1"
};
const SHORTEST = 500, LONGEST = 8000;  // milliseconds until the next attempt

async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const text = await answer.text();
  let why = text;
  try {
    why = JSON.parse(text).error ?? text;
  } catch {
    // The response is not JSON, so the page shows its text.
  }
  throw new Error(why || `HTTP status ${answer.status}`);
}

// Sends a GET, or a POST if there is a body. Throws an Error with the service's reason.
export async function control(path: string, body?: unknown): Promise<any> {
  const post = {method: "POST", body: JSON.stringify(body)};
  const answer =
      await fetch(`/_spotsim/${path}`, {headers: HEADERS, ...(body === undefined ? {} : post)});
  return (await checked(answer)).json();
}

export class Stream {
  private lastId = "";
  private wait = SHORTEST;

  constructor(
      private readonly take: (data: string) => void,
      private readonly connected: (is: boolean, why: string) => void) {}

  // Reconnects whenever the connection ends.
  async follow(): Promise<never> {
    for (;;) {
      let why = "the service has ended the connection";
      try {
        await this.read();
      } catch (error) {
        why = (error as Error).message;
      }
      this.connected(false, why);
      await new Promise(done => setTimeout(done, this.wait));
      this.wait = Math.min(LONGEST, 2 * this.wait);
    }
  }

  private async read(): Promise<void> {
    const headers: Record<string, string> = {...HEADERS};
    if (this.lastId) headers["Last-Event-ID"] = this.lastId;
    const answer = await checked(await fetch("/_spotsim/stream", {headers}));
    this.connected(true, "");
    this.wait = SHORTEST;
    const reader = answer.body!.getReader(), decoder = new TextDecoder();
    for (let rest = "";;) {
      const {value, done} = await reader.read();
      if (done) return;
      const seen = Math.max(0, rest.length - 1);
      rest += decoder.decode(value, {stream: true});
      if (rest.indexOf("\n\n", seen) < 0) continue;
      const events = rest.split("\n\n");
      rest = events.pop()!;
      events.forEach(event => this.event(event));
    }
  }

  private event(text: string): void {
    const fields = new Map(text.split("\n").map(line => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }));
    const data = fields.get("data");
    if (data === undefined) return;
    this.lastId = fields.get("id") ?? this.lastId;
    try {
      this.take(data);
    } catch (error) {
      console.error(error);  // a bug of the page; another connection would not repair it
    }
  }
}

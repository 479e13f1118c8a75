import { type Client, type InStatement, LibsqlError, type ResultSet } from "@libsql/core/api";
import { openWs, ResponseError, type WsStream } from "@libsql/hrana-client";
import { runTransaction, toHrana, toObject, toResultSet } from "../../db/hrana";

/**
 * Runs the statements of tests on one connection to a database server, one after another. The connection stays open as
 * long as the server runs. The Worker opens one for each request, and for each connection the server parses the whole
 * schema, which takes ten times as long as a statement (docs/decisions/0074-faster-tests-again.md).
 */
export class KeptConnection implements Pick<Client, "execute" | "batch"> {
  readonly #url: string;
  readonly #authToken: string | undefined;
  #stream: WsStream | undefined;

  /** @param url of the server: `http://…` */
  constructor(url: string, authToken: string | undefined) {
    this.#url = url.replace(/^http/, "ws");
    this.#authToken = authToken;
  }

  execute(statement: InStatement): Promise<ResultSet> {
    return this.#run(async (stream) => toResultSet(await stream.query(toHrana(toObject(statement)))));
  }

  /** Runs statements as one transaction. */
  batch(statements: InStatement[]): Promise<ResultSet[]> {
    return this.#run((stream) =>
      runTransaction(
        stream,
        statements.map((statement) => toHrana(toObject(statement))),
      ),
    );
  }

  /** @throws LibsqlError if the server refuses a statement */
  async #run<T>(work: (stream: WsStream) => Promise<T>): Promise<T> {
    // The server may have stopped since, and another one may now be listening at this address.
    if (!this.#stream || this.#stream.client().closed) this.#stream = openWs(this.#url, this.#authToken).openStream();
    try {
      return await work(this.#stream);
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      throw new LibsqlError(error.message, error.code ?? "UNKNOWN", undefined, undefined, error);
    }
  }
}

package limits

import (
	"context"

	"sanad/internal/domain/access"
	"sanad/internal/quota"
)

// Work says how much memory a request may take, in bytes; the zero value takes none worth counting (rule SEC-23). The
// figures follow what one request's heap grew by at most, garbage included, as BenchmarkWorkMemory prints it:
//
//	upload, JSON or document added, of words   54 MiB for 0.25 MiB, 157 for 1 MiB, 500 for 4 MiB
//	the same of paragraphs of one letter       120 MiB for 0.25 MiB, 294 for 1 MiB; several at once take half as much each
//	judging again, 1,000 claims                69 MiB with 30 KB of text, 405 with 4 MiB
//	export, 1,000 claims, as PDF               133 MiB, 204 with 4 MiB of text; JSON 51 and 162, Markdown 35
//	artifact written                           2.4 for each byte, of 1 to 45 MiB
//
// What a session or pack holds is not known before it is read: larger ones than these take more than is reserved.
type Work struct {
	Kind    string // for metrics
	Base    int64  // whatever its body has
	PerByte int64  // for each byte of the body's beginning, which is held in memory
	Whole   int64  // how long that beginning is at most: what is beyond is written to a file as it arrives
	Beyond  int64  // for each byte beyond
}

// The kinds of work within requests; jobs are one more (quota.Job).
const (
	workBody   = "body"
	workUpload = "upload"
	workLake   = "lake"
	workJudge  = "judge"
	workRedact = "redact"
	workExport = "export"
)

// Work of several capabilities.
var (
	// BodyWork is of every request with a body for which nothing else is said: JSON, parsed.
	BodyWork = Work{Kind: workBody, PerByte: 6, Whole: maxAPIBody}
	// FormUpload is a form with files, of a page or the API, which are all held in memory, twice when a job is made of
	// them.
	FormUpload = Work{Kind: workUpload, Base: 24 << 20, PerByte: 200, Whole: smallImport, Beyond: 6}
	// StreamUpload is an import through the API: parsed and judged at once, or written to a file for a job.
	StreamUpload = Work{Kind: workUpload, Base: 24 << 20, PerByte: 200, Whole: smallImport}
	// APIUpload is any other import through the API.
	APIUpload = Work{Kind: workUpload, Base: 24 << 20, PerByte: 200, Whole: maxAPIBody}
	// LakeWrite holds an artifact while it is read; LakeRead one of any size.
	LakeWrite = Work{Kind: workLake, Base: 1 << 20, PerByte: 3, Whole: 64 << 20}
	LakeRead  = Work{Kind: workLake, Base: 64 << 20}
	// JudgeWork loads a session and judges up to judge.MaxClaims claims.
	JudgeWork = Work{Kind: workJudge, Base: 400 << 20, PerByte: 200, Whole: maxAPIBody}
	// TracesBody is a request of OTLP as it arrives, packed perhaps; TracesRead the same, read and kept.
	TracesBody = Work{Kind: workBody, Base: 1 << 20, PerByte: 2, Whole: maxAPIBody}
	TracesRead = Work{Kind: workBody, PerByte: 10, Whole: maxAPIBody}
	// RedactWork and ExportWork draw a whole pack or ledger.
	RedactWork = Work{Kind: workRedact, Base: 48 << 20, PerByte: 6, Whole: maxAPIBody}
	ExportWork = Work{Kind: workExport, Base: 200 << 20}
)

const (
	maxAPIBody  = 16 << 20 // web.MaxAPIBody
	smallImport = 5 << 20  // app.SmallImport: larger imports become jobs
)

// smallBody is what a body may have, in bytes, to be not worth counting, and smallRoom what its values may take.
const (
	smallBody = 64 << 10
	smallRoom = 1 << 20
)

// Weight returns the memory that a request may take; length is that of its body, negative if it is not known.
func (w Work) Weight(length int64) int64 {
	if length < 0 {
		length = w.Whole
	}
	whole := min(length, w.Whole)
	return w.Base + whole*w.PerByte + (length-whole)*w.Beyond
}

// perValue is the memory of a value of a body, in bytes, with what is made of it: an empty object of two bytes takes as
// much as a full one.
const perValue = 1 << 10

// roomKey is the context key of a request's *room. A request that it makes of this server (internal/mcp) takes only
// what it needs beyond that: its caller's share may not hold both.
type roomKey struct{}

// room is the memory that a request has taken from the pool.
type room struct {
	pool *quota.Pool
	ask  quota.Ask
	base int64 // whatever its body has
	held int64 // what needs no reservation any more
	done []func()
}

// ForValues reserves what the values of a request's body take beyond what was reserved for its bytes. The request's own
// reservation gives it back.
func ForValues(ctx context.Context, n int) error {
	r, _ := ctx.Value(roomKey{}).(*room)
	if r == nil || r.base+int64(n)*perValue <= r.held {
		return nil
	}
	ask := r.ask
	ask.Weight, ask.Held = r.base+int64(n)*perValue, r.held
	done, err := r.pool.Acquire(ctx, ask)
	if err != nil {
		return err
	}
	r.held, r.done = ask.Weight, append(r.done, done)
	return nil
}

// Reserve reserves the memory of a request of somebody, whose body has length bytes, when there is enough of it; done
// gives it back, and the request continues in the context. The error is a *quota.Refused if somebody has the whole
// share or nobody can have more.
func (w Work) Reserve(ctx context.Context, from *quota.Pool, who access.Actor, length int64) (
	within context.Context, done func(), err error,
) {
	if from == nil || w.Kind == "" {
		return ctx, func() {}, nil
	}
	outer, _ := ctx.Value(roomKey{}).(*room)
	r := &room{pool: from, base: w.Base,
		ask: quota.Ask{Tenant: who.Tenant, Person: who.ID, Kind: w.Kind, Weight: w.Weight(length)}}
	if outer != nil {
		r.ask.Held = outer.held
	}
	if w.Kind == workBody && length >= 0 && length <= smallBody { // its values may yet be many
		r.base, r.held = 0, max(r.ask.Held, smallRoom)
	} else {
		give, err := from.Acquire(ctx, r.ask)
		if err != nil {
			return ctx, nil, err
		}
		r.held, r.done = max(r.ask.Held, r.ask.Weight), []func(){give}
	}
	return context.WithValue(ctx, roomKey{}, r), func() {
		for _, give := range r.done {
			give()
		}
	}, nil
}

package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addLedgers adds what checks answers and reads ledgers.
func (c *client) addLedgers(s *sdk.Server) {
	add(s, &sdk.Tool{Name: "verify_answer", Title: "Check an answer against its sources", Annotations: stores(true),
		Description: "Checks an answer against the documents that it is based on, whose words you give or which are in the " +
			"library: splits it into claims, looks for " +
			"evidence of each in the documents, and returns a verdict with the best evidence for each claim. The " +
			"answer is stored as a session, which people can review; the same answer with the same documents is " +
			"stored once. Needs the role reviewer and, for a narrowed token, the scopes import and read."}, c.verify)
	add(s, &sdk.Tool{Name: "get_ledger", Title: "Read a ledger", Annotations: reads(),
		Description: "Reads the ledger of a session: each claim of the answer with its verdict now, after people's " +
			"reviews, and its best evidence. Filters: verdicts, citation, quotation. Where claims are left out, " +
			"next_from says where to go on."},
		c.ledger)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "ledger", Title: "Ledger of a session", MIMEType: jsonType,
		URITemplate: ledgerPrefix + "{session_id}", Description: "The claims of an answer with verdicts and " +
			"evidence, in short."},
		c.readLedger)
}

// document is a source that a model gives.
type document struct {
	ID       string `json:"id,omitempty" jsonschema:"your id of it, as the answer cites it; by default its number, from 1"`
	Title    string `json:"title,omitempty" jsonschema:"its title"`
	Filename string `json:"filename,omitempty" jsonschema:"its file name or address"`
	Text     string `json:"text,omitempty" jsonschema:"its words, in full and unchanged"`
	Library  string `json:"library,omitempty" jsonschema:"in place of text: id of a document of the library, from search_library"`
	Version  int    `json:"library_version,omitempty" jsonschema:"its version; by default the newest"`
}

type verifyInput struct {
	Answer    string     `json:"answer" jsonschema:"the answer to be checked, word for word, with its citations"`
	Documents []document `json:"documents" jsonschema:"the documents that the answer is based on"`
	Title     string     `json:"title,omitempty" jsonschema:"a title for the session, for the people who review it"`
	Question  string     `json:"question,omitempty" jsonschema:"the question that was answered"`
	Language  string     `json:"language,omitempty" jsonschema:"language of the answer, as en or ar; by default found out"`
}

// session returns the input as sanad.session/v1.
func (in *verifyInput) session() map[string]any {
	type wire struct {
		ID       string `json:"id"`
		Filename string `json:"filename,omitempty"`
		Title    string `json:"title,omitempty"`
		Text     string `json:"text,omitempty"`
		Library  string `json:"library,omitempty"`
		Version  int    `json:"library_version,omitempty"`
	}
	documents := make([]wire, len(in.Documents))
	for i, d := range in.Documents {
		number := fmt.Sprint(i + 1)
		documents[i] = wire{ID: cmp.Or(d.ID, number), Title: d.Title, Text: d.Text, Filename: d.Filename,
			Library: d.Library, Version: d.Version}
		if d.Library == "" { // else it has that of the library
			documents[i].Filename = cmp.Or(d.Filename, d.Title, "document "+number)
		}
	}
	head := map[string]string{"answer": in.Answer}
	for name, v := range map[string]string{"title": in.Title, "query": in.Question, "lang": in.Language} {
		if v != "" {
			head[name] = v
		}
	}
	return map[string]any{"format": "sanad.session/v1", "session": head, "documents": documents}
}

// warning is what the API says of an import that it took.
type warning struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// check refuses a document without words.
func (in *verifyInput) check() error {
	for i, d := range in.Documents {
		if d.Text == "" && d.Library == "" {
			return fmt.Errorf("documents[%d].text is missing; give the words of the document, or in library the id that "+
				"search_library tells", i)
		}
	}
	return nil
}

// sessionNames are the places of a session that verify_answer fills.
var sessionNames = names{{"session.answer", "answer"}, {"session.title", "title"}, {"session.query", "question"},
	{"session.lang", "language"}}

// ownWords takes out of the API's words what verify_answer has no argument for.
var ownWords = strings.NewReplacer(`give the claims in "claims", or an answer that states something`,
	"give one that states something")

// told returns the first warnings as text, with the places that the tool's caller knows.
func told(warnings []warning, places names) (out []string) {
	for _, w := range warnings[:min(len(warnings), maxFaults)] {
		says := cut(w.Message, maxSnippet)
		if w.Path != "" {
			says = cut(places.at(w.Path), maxName) + ": " + says
		}
		out = append(out, says)
	}
	return out
}

// imported is the API's answer to an import: a session, or a job that will make one.
type imported struct {
	SessionID *string   `json:"session_id"`
	Warnings  []warning `json:"warnings"`

	JobID   string `json:"job_id"`
	Status  string `json:"status"`
	Percent int    `json:"percent"`
	Error   *struct {
		Path   string `json:"path"`
		Detail string `json:"detail"`
	} `json:"error"`
}

func (c *client) verify(ctx context.Context, in verifyInput) (*ledger, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	var got imported
	status, err := c.post(ctx, "/sessions", in.session(), &got)
	if err != nil {
		var r *refused
		if errors.As(err, &r) {
			r.Detail = ownWords.Replace(r.Detail)
		}
		return nil, sessionNames.of(err)
	}
	if status == http.StatusAccepted {
		if err := c.await(ctx, &got); err != nil {
			return nil, err
		}
	}
	if got.SessionID == nil {
		return &ledger{Job: &job{ID: got.JobID, Status: got.Status, Percent: got.Percent, Note: "It is still being " +
			"judged. Call verify_answer again with the same arguments to go on waiting; nothing is stored " +
			"twice."}}, nil
	}
	out, err := c.ledger(ctx, ledgerInput{SessionID: *got.SessionID})
	if err != nil {
		return nil, fmt.Errorf("the answer is stored and judged, as session %s, and its ledger cannot be read: %w",
			*got.SessionID, err)
	}
	out.Warnings = append(out.Warnings, told(got.Warnings, sessionNames)...)
	return out, nil
}

// askEvery is how often a job is asked for.
const askEvery = 500 * time.Millisecond

// await waits until a job has ended, at most c.wait.
func (c *client) await(ctx context.Context, got *imported) error {
	id, err := segment("job_id", got.JobID)
	if err != nil {
		return err
	}
	late := time.NewTimer(c.wait)
	defer late.Stop()
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		switch {
		case got.Status == "failed" && got.Error != nil:
			at := cut(cmp.Or(sessionNames.at(got.Error.Path), "the whole"), maxName)
			return fmt.Errorf("%s (at %s)", cut(ownWords.Replace(got.Error.Detail), maxText), at)
		case got.Status == "failed":
			return errors.New("the import has failed")
		case got.Status == "cancelled":
			return errors.New("somebody has cancelled the import")
		case got.SessionID != nil:
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return nil
		case <-tick.C:
		}
		if err := c.get(ctx, "/jobs/"+id, nil, got); err != nil {
			return err
		}
	}
}

type ledgerInput struct {
	SessionID string   `json:"session_id" jsonschema:"id of the session"`
	Verdicts  []string `json:"verdicts,omitempty" jsonschema:"only those: supported, weak, contradicted, not_found, unjudged"`
	Citation  string   `json:"citation,omitempty" jsonschema:"only with one that holds, in_part, elsewhere, does_not_hold or unresolved"`
	Quotation string   `json:"quotation,omitempty" jsonschema:"only with one that is exact, normalised, fuzzy or not_found"`
	From      int      `json:"from,omitempty" jsonschema:"only claims from this number on"`
	Limit     int      `json:"limit,omitempty" jsonschema:"at most so many claims, up to 200; by default 50"`
}

// The number of claims that are told at once.
const (
	defaultClaims = 50
	maxClaims     = 200
)

// verdicts are what a claim may be.
var verdicts = []string{"supported", "weak", "contradicted", "not_found", unjudged}

const unjudged = "unjudged"

func (in *ledgerInput) check() error {
	for _, v := range in.Verdicts {
		if !slices.Contains(verdicts, v) {
			return fmt.Errorf("verdicts: %q is none of %s", cut(v, maxName), strings.Join(verdicts, ", "))
		}
	}
	if in.From < 0 || in.Limit < 0 || in.Limit > maxClaims {
		return fmt.Errorf("from is a claim's number, limit 1 to %d", maxClaims)
	}
	return nil
}

func (c *client) ledger(ctx context.Context, in ledgerInput) (*ledger, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	id, err := segment("session_id", in.SessionID)
	if err != nil {
		return nil, err
	}
	query := url.Values{"limit": {strconv.Itoa(cmp.Or(in.Limit, defaultClaims))}, "from": {strconv.Itoa(max(in.From, 1))}}
	for name, v := range map[string]string{"citation": in.Citation, "quotation": in.Quotation,
		"verdict": strings.Join(in.Verdicts, ",")} {
		if v != "" {
			query.Set(name, v)
		}
	}
	var whole wholeLedger
	if err := c.get(ctx, "/sessions/"+id+"/ledger", query, &whole); err != nil {
		return nil, err
	}
	return whole.short(c.base(ctx)), nil
}

func (c *client) readLedger(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	out, err := c.ledger(ctx, ledgerInput{SessionID: strings.TrimPrefix(r.Params.URI, ledgerPrefix)})
	return resource(r, out, err)
}

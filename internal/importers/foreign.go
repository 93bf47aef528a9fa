package importers

import (
	"bytes"
	"fmt"
	"strings"

	"sanad/internal/domain"
)

// foreign is one provider's format: how it is told by its shape, and how it is read (spec page 7 "Provider formats").
type foreign struct {
	name  string     // as Result.Format and Session.Format name it
	noun  string     // for people
	needs [][]string // fields that tell it, indexes left out; of each list one has to be there
	read  func(rows []row) ([]*draft, error)
}

// each makes a reader for formats whose rows are a session each; a row that cannot be read does not stop the others.
func each(read func(row) (*draft, error)) func([]row) ([]*draft, error) {
	return func(rows []row) ([]*draft, error) {
		out := make([]*draft, len(rows))
		for i, r := range rows {
			d, err := read(r)
			if err != nil {
				d = &draft{path: r.path, fault: err}
			}
			out[i] = d
		}
		return out, nil
	}
}

// met counts how many of the format's needs the fields meet, and names the first one that is not met.
func (f *foreign) met(fields fieldSet) (n int, missing string) {
	for _, any := range f.needs {
		switch {
		case fields.has(any...):
			n++
		case missing == "":
			missing, _, _ = strings.Cut(any[0], "=")
		}
	}
	return n, missing
}

// tell finds the format of rows that are not our own.
func tell(rows []row) (*foreign, error) {
	fields := fieldsOf(rows)
	var near *foreign
	most, gap := 1, "" // one field alone tells nothing
	for i := range foreigns {
		f := &foreigns[i]
		n, missing := f.met(fields)
		if missing == "" {
			return f, nil
		}
		if n > most {
			near, most, gap = f, n, missing
		}
	}
	if near != nil {
		return nil, &domain.Error{Kind: domain.Unsupported, Op: "importers.Read", Path: strings.ReplaceAll(gap, "[]", "[0]"),
			Msg: fmt.Sprintf("This looks like %s, but the field is not there.", near.noun)}
	}
	return nil, unsupported("format", `The input has no "format", and is none of the files that are read without: %s.`, providers)
}

// providers names whose files are read, for errors; docs/format.md has them one by one.
const providers = "Anthropic, OpenAI, Cohere, Gemini, Bedrock, Vercel AI, LangChain, LlamaIndex, OpenTelemetry, Langfuse, Ragas, RAGTruth, " +
	"LettuceDetect, RefChecker, Loki, SAFE, DeepEval, in-toto"

// drafts reads a provider's file.
func drafts(src string) (*foreign, []*draft, error) {
	rows := rowsOf(src)
	f, err := tell(rows)
	if err != nil {
		return nil, nil, err
	}
	list, err := f.read(rows)
	return f, list, err
}

// readForeign reads a provider's file that holds one session.
func readForeign(src string, opt Options) (*Result, error) {
	f, list, err := drafts(src)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, domain.Invalidf("", "This file of %s holds no session.", f.noun)
	}
	if len(list) > 1 {
		return nil, domain.Invalidf("", "This file of %s holds %s sessions, and one is read at a time; send one by one, or use `web import`, which takes them all.", f.noun, grouped(len(list)))
	}
	return newBuilder(opt).drafted(list[0], f.name)
}

// Batch is what a file with several sessions gives.
type Batch struct {
	Results []*Result
	Refused []*domain.Error // rows that were not taken: Path is the place of the row or of the fault in it
}

// ReadAll reads one file with one or several sessions: evaluation rows and traces may hold many. A row that cannot be
// taken is refused alone; the error is for files of which nothing can be.
func ReadAll(data []byte, opt Options) (*Batch, error) {
	opt = opt.withDefaults()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := checkSize(data, opt.Bytes); err != nil {
		return nil, err
	}
	src := string(data)
	format, err := detect(src)
	if err == nil && format != "" {
		r, err := Read(data, opt)
		return &Batch{Results: []*Result{r}}, err
	}
	if err != nil {
		return nil, err
	}
	f, list, err := drafts(src)
	if err != nil {
		return nil, err
	}
	return batch(f, list, opt)
}

func batch(f *foreign, list []*draft, opt Options) (*Batch, error) {
	b := &Batch{}
	for _, d := range list {
		r, err := newBuilder(opt).drafted(d, f.name)
		if e, ok := err.(*domain.Error); ok {
			b.Refused = append(b.Refused, e)
			continue
		}
		if err != nil {
			return nil, err
		}
		b.Results = append(b.Results, r)
	}
	if len(b.Results) > 0 {
		return b, nil
	}
	if len(b.Refused) == 0 {
		return nil, domain.Invalidf("", "This file of %s holds no session.", f.noun)
	}
	first := *b.Refused[0]
	if n := len(b.Refused) - 1; n > 0 {
		first.Msg += fmt.Sprintf(" (So or alike in all %s other rows.)", grouped(n))
	}
	return nil, &first
}

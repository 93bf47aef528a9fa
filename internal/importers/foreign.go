package importers

import (
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

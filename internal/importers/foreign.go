package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// foreign is a provider's format: how it is recognised and read (rule F-5).
type foreign struct {
	name  string     // value of Result.Format and Session.Format
	noun  string     // id of what its files hold
	needs [][]string // identifying fields, without indexes; one of each list is required
	read  reader
}

// reader passes the drafts of a file to give one by one. A row that can't be read is a draft with a fault. An error
// from give, or one that concerns the whole file, ends the reading and is returned.
type reader func(rows rowSource, give func(*draft) error) error

// each returns a reader for formats in which each row is a session.
func each(read func(row) (*draft, error)) reader {
	return func(rows rowSource, give func(*draft) error) error {
		return rows.each(func(r row) error {
			d, err := read(r)
			if err != nil {
				d = &draft{path: r.path, fault: err}
			}
			return give(d)
		})
	}
}

// together returns a reader for formats in which several rows form a session; it holds all rows in memory.
func together(read func([]row) ([]*draft, error)) reader {
	return func(rows rowSource, give func(*draft) error) error {
		var all []row
		err := rows.each(func(r row) error {
			all = append(all, r)
			return checkRows(len(all))
		})
		if err != nil {
			return err
		}
		list, err := read(all)
		for i := 0; i < len(list) && err == nil; i++ {
			err = give(list[i])
		}
		return err
	}
}

// met returns how many of the format's required fields are present, and the first one that is missing.
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

// tell returns the format that the fields identify; the rows are known not to be in our own format.
func tell(fields fieldSet) (*foreign, error) {
	var near *foreign
	most, gap := 1, "" // a single field proves nothing
	for _, f := range foreigns() {
		n, missing := f.met(fields)
		if missing == "" {
			return &f, nil
		}
		if n > most {
			near, most, gap = &f, n, missing
		}
	}
	if near != nil {
		return nil, &domain.Error{Kind: domain.Unsupported, Op: "importers.Read",
			Path:    strings.ReplaceAll(gap, "[]", "[0]"),
			Message: words.Msg("refused_in_looks", "Words", words.Msg(near.noun))}
	}
	return nil, unsupported("format", words.Msg("refused_in_format", "Words", providers))
}

// providers lists the providers for error messages; docs/format.md describes each format.
var providers = words.List{"Anthropic", "OpenAI", "Cohere", "Gemini", "Bedrock", "Vercel AI", "LangChain",
	"LlamaIndex", "OpenTelemetry", "Phoenix", "Jaeger", "Langfuse", "LangSmith", "MLflow", "TruLens", "promptfoo", "Ragas",
	"RAGTruth", "LettuceDetect", "RefChecker", "Loki", "SAFE", "DeepEval", "Label Studio", "in-toto"}

// readForeign reads a provider's file that holds one session.
func readForeign(src string, opt Options) (*Result, error) {
	rows, err := heldRows(src)
	if err != nil {
		return nil, err
	}
	f, err := tell(fieldsOf(rows))
	if err != nil {
		return nil, err
	}
	var only *draft
	n := 0
	err = f.read(rows, func(d *draft) error {
		only = d
		n++
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case n == 0:
		return nil, f.none()
	case n > 1:
		return nil, domain.Refuse(domain.Invalid, "", "refused_in_sessions", "Words", words.Msg(f.noun), "N", n)
	}
	return newBuilder(opt).drafted(only, f.name)
}

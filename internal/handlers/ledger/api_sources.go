package ledger

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/sources"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	"sanad/internal/strictjson"
)

// sourcesInput is the body of POST /sources:pack (rules S-1 and S-2).
type sourcesInput struct {
	Candidates []sources.Candidate `json:"candidates" need:"noun_candidates" limit:"100000"`
	Chunks     []sources.Chunk     `json:"evidence_chunks" limit:"200000"`
	Options    sources.Options     `json:"options"`

	ignored []string // other members of the body, the first of them
}

// apiPackSources answers with the `rag.sources` event; it stores nothing. A body that is not JSON is refused with 400,
// one with too much in it with 413. JSON that is not retrieval output gives an empty list: the packer never fails on
// what it is given (rule S-3).
func (s *server) apiPackSources(c echo.Context) error {
	data, err := web.Body(c, web.MaxAPIBody)
	if err != nil {
		return err
	}
	in, err := readSources(data)
	switch {
	case errors.Is(err, strictjson.ErrMalformed):
		return web.BadRequest(err)
	case domain.KindOf(err) == domain.TooLarge:
		return err
	case err != nil:
		return web.SendJSON(c, http.StatusOK, sources.Refused(err, debugAsked(data)))
	}
	event := sources.NewEvent(in.Candidates, in.Chunks, in.Options)
	if event.Payload.Debug != nil {
		event.Payload.Debug.Ignored = in.ignored
	}
	return web.SendJSON(c, http.StatusOK, event)
}

// maxIgnored is how many ignored members of a body are named.
const maxIgnored = 20

// readSources reads the body. Unknown members of candidates and chunks are ignored, as retrievers add their own. An
// unknown option is refused, because a misspelt exclude_metadata_keys would show what it should hide; so is an option that
// stands beside options, for the same reason. Any other member beside them is ignored: a trace id spoils nothing.
func readSources(data []byte) (*sourcesInput, error) {
	var in sourcesInput
	stray := ""
	err := importers.Decode(data, &in, strictjson.Options{Unknown: func(path string, _ json.RawMessage) {
		switch misplaced := strings.HasPrefix(path, "options.") || sources.IsOption(path); {
		case misplaced && stray == "":
			stray = path
		case !misplaced && !strings.ContainsAny(path, ".[") && len(in.ignored) < maxIgnored:
			in.ignored = append(in.ignored, path)
		}
	}})
	if err == nil && stray != "" {
		err = domain.Refuse(domain.Invalid, stray, "refused_such_field_see")
	}
	return &in, err
}

// debugAsked reports whether a body that could not be read asks for the reason.
func debugAsked(data []byte) bool {
	var in struct {
		Options struct {
			Debug bool `json:"debug"`
		} `json:"options"`
	}
	err := importers.Decode(data, &in, strictjson.Options{Unknown: func(string, json.RawMessage) {}})
	return err == nil && in.Options.Debug
}

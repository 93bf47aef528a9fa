package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// libraryPrefix is the address of documents of the library.
const libraryPrefix = "sanad://library/"

// addLibrary adds what finds documents of the library, for verify_answer to name.
func (c *client) addLibrary(s *sdk.Server) {
	add(s, &sdk.Tool{Name: "search_library", Title: "Find documents of the library", Annotations: reads(),
		Description: "Lists the documents that the organisation keeps once for all reviews, such as its policies, by " +
			"name: all of them, or those whose name, folder or tags have the given words. Give the id of one to " +
			"verify_answer as library, in place of its text. Needs the role reviewer."}, c.searchLibrary)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "library", Title: "Document of the library", MIMEType: jsonType,
		URITemplate: libraryPrefix + "{document_id}", Description: "A document of the library with its versions, as " +
			"the API shows it."}, c.readLibrary)
}

type librarySearch struct {
	Query  string `json:"query,omitempty" jsonschema:"words of name, folder or tags; all documents without it"`
	Folder string `json:"folder,omitempty" jsonschema:"only documents in this folder"`
	Tag    string `json:"tag,omitempty" jsonschema:"only documents with this tag"`
	After  string `json:"after,omitempty" jsonschema:"next of the answer before, for more"`
	Limit  int    `json:"limit,omitempty" jsonschema:"at most so many, up to 50; by default 20"`
}

// libraryDocument is a document of the library.
type libraryDocument struct {
	ID        string   `json:"id" jsonschema:"give it to verify_answer as library"`
	Name      string   `json:"name"`
	Folder    string   `json:"folder,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Version   int      `json:"version" jsonschema:"the newest"`
	ChangedAt string   `json:"changed_at" jsonschema:"when that version was added"`
	Address   string   `json:"address"`
}

type libraryOutput struct {
	Documents []libraryDocument `json:"documents"`
	Next      string            `json:"next,omitempty" jsonschema:"give it as after to get more"`
}

func (c *client) searchLibrary(ctx context.Context, in librarySearch) (*libraryOutput, error) {
	if in.Limit < 0 || in.Limit > maxFound {
		return nil, fmt.Errorf("limit: 1 to %d", maxFound)
	}
	if in.Limit == 0 {
		in.Limit = defaultFound
	}
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}}
	for name, v := range map[string]string{"q": in.Query, "folder": in.Folder, "tag": in.Tag, "after": in.After} {
		if v != "" {
			query.Set(name, v)
		}
	}
	var got struct {
		Documents []libraryDocument `json:"documents"`
		Next      *string           `json:"next"`
	}
	if err := c.get(ctx, "/library", query, &got); err != nil {
		return nil, names{{"q", "query"}}.of(err)
	}
	out := &libraryOutput{Documents: got.Documents}
	for i := range out.Documents {
		d := &out.Documents[i]
		d.Name, d.Folder, d.Address = cut(d.Name, maxName), cut(d.Folder, maxName), c.base(ctx)+"/library/"+d.ID
	}
	if got.Next != nil {
		out.Next = *got.Next
	}
	return out, nil
}

func (c *client) readLibrary(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	id, err := segment("document_id", strings.TrimPrefix(r.Params.URI, libraryPrefix))
	if err != nil {
		return nil, err
	}
	var got json.RawMessage
	out, err := bounded(&got, c.get(ctx, "/library/"+id, nil, &got))
	return resource(r, out, err)
}

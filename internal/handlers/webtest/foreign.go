package webtest

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
)

// Answer returns a whole answer without the request's id and address.
func Answer(res *httptest.ResponseRecorder) string {
	id := res.Header().Get("X-Request-Id")
	h := res.Header().Clone()
	h.Del("X-Request-Id")
	body := strings.NewReplacer(id, "", id[:13], "").Replace(res.Body.String())
	return fmt.Sprint(res.Code, h, address.ReplaceAllString(kept.ReplaceAllString(body, ""), `"/PATH"`))
}

// address matches where a page contains its own path, or one above it: the forms that set language and theme are sent
// there, with its query.
var address = regexp.MustCompile(`action="/[^"]*" data-keep="[a-z]+"|"/(sessions|documents|packs|bundles|downloads|views|admin|account)(/[^"]*)?"`)

// kept matches the query that such a form keeps.
var kept = regexp.MustCompile(`<input type="hidden" name="(id|with|chunk)" value="[^"]*"/?>`)

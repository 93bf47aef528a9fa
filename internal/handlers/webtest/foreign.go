package webtest

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
)

// Answer is a whole answer without the request's own id and address.
func Answer(res *httptest.ResponseRecorder) string {
	id := res.Header().Get("X-Request-Id")
	h := res.Header().Clone()
	h.Del("X-Request-Id")
	body := strings.NewReplacer(id, "", id[:13], "").Replace(res.Body.String())
	return fmt.Sprint(res.Code, h, address.ReplaceAllString(body, `"/PATH"`))
}

// address is where a page names its own path, or one that it lies below: the forms that set language and theme go
// there, with its query.
var address = regexp.MustCompile(`"/(sessions|documents|packs|bundles|downloads|views|admin|account)(/[^"]*)?"|<input type="hidden" name="(id|with)" value="[^"]*"/?>`)

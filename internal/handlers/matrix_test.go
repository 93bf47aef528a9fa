package handlers_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

// row has the statuses of a route: without a login, for the four roles of the objects' tenant, and for an admin of
// another tenant. Users who are disabled, shut out or expired must get the same as without a login.
type row struct {
	want string // statuses: nobody, viewer, reviewer, approver, admin, foreign admin
	path string // with {session} and so on, see world; "" for the route's own
	body string // JSON for the API, else a form
}

const (
	everybody = "200 200 200 200 200 200"
	readers   = "303 200 200 200 200 200" // pages that show every user their own tenant
	writers   = "303 403 200 200 200 200"
	adminPage = "303 403 403 403 200 200"
)

// matrix has a row for every route; the test fails for a route without one.
var matrix = map[string]row{
	"GET /healthz":      {want: everybody},
	"GET /readyz":       {want: everybody},
	"GET /metrics":      {want: "404 404 404 404 404 404"}, // no token is set; see TestMetrics
	"GET /static/:name": {want: everybody, path: "/static/base.css"},
	"GET /fonts/:name":  {want: everybody, path: "/fonts/ibm-plex-mono-latin-400.woff2"},
	"GET /verify.html":  {want: everybody},

	"GET /.well-known/security.txt": {want: "404 404 404 404 404 404"}, // no contact is set; see TestSecurityText

	"GET /login":               {want: "200 303 303 303 303 303"},
	"POST /login":              {want: "422 422 422 422 422 422", body: "login={unique}&password=wrong"},
	"GET /login/code":          {want: "303 303 303 303 303 303"},
	"POST /login/code":         {want: "303 303 303 303 303 303", body: "code=123456"},
	"GET /login/oidc":          {want: "404 404 404 404 404 404"}, // no provider is set
	"GET /login/oidc/callback": {want: "303 303 303 303 303 303", path: "/login/oidc/callback?state=x&code=y"},
	"POST /logout":             {want: "303 303 303 303 303 303"},
	"GET /confirm":             {want: readers},
	"POST /confirm":            {want: "303 303 303 303 303 303", body: "password=correct+horse+battery"},

	"GET /account":                    {want: readers},
	"POST /account/tenant":            {want: "303 404 404 404 404 404", body: "tenant={session}"}, // no tenant of theirs
	"POST /account/password":          {want: "303 422 422 422 422 422", body: "current=x&new=short&again=short"},
	"POST /account/tokens":            {want: "303 422 422 422 422 422", body: "name=x&days=0"},
	"POST /account/tokens/:id/revoke": {want: "303 404 404 404 404 404", path: "/account/tokens/{token}/revoke"},
	"POST /account/totp/new":          {want: readers},
	// too late: back to the start
	"POST /account/totp":     {want: "303 303 303 303 303 303", body: "pending=x&code=123456"},
	"POST /account/totp/off": {want: "303 303 303 303 303 303"},
	// no device of theirs
	"POST /account/devices/:id/end": {want: "303 404 404 404 404 404", path: "/account/devices/{session}/end"},
	"POST /account/devices/end":     {want: "303 303 303 303 303 303"},

	"GET /admin":           {want: "303 403 403 403 303 303"},
	"GET /admin/users":     {want: adminPage},
	"POST /admin/users":    {want: "303 403 403 403 422 422", body: "login=&name=&role=viewer"},
	"GET /admin/users/:id": {want: "303 403 403 403 200 404", path: "/admin/users/{spare}"},
	"POST /admin/users/:id/role": {want: "303 403 403 403 303 404", path: "/admin/users/{spare}/role",
		body: "role=reviewer"},
	"POST /admin/users/:id/disable":   {want: "303 403 403 403 303 404", path: "/admin/users/{spare}/disable"},
	"POST /admin/users/:id/enable":    {want: "303 403 403 403 303 404", path: "/admin/users/{spare}/enable"},
	"POST /admin/users/:id/password":  {want: "303 403 403 403 200 404", path: "/admin/users/{spare}/password"},
	"POST /admin/users/:id/totp-off":  {want: "303 403 403 403 303 404", path: "/admin/users/{spare}/totp-off"},
	"GET /admin/tokens":               {want: adminPage},
	"POST /admin/tokens":              {want: "303 403 403 403 422 422", body: "name=x&role=viewer&days=0"},
	"GET /admin/tokens/:id/revoke":    {want: "303 403 403 403 200 404", path: "/admin/tokens/{token}/revoke"},
	"POST /admin/tokens/:id/revoke":   {want: "303 403 403 403 303 404", path: "/admin/tokens/{token}/revoke"},
	"GET /admin/keys":                 {want: adminPage},
	"GET /admin/keys/public":          {want: "303 403 403 403 200 404", path: "/admin/keys/public?id={key}"},
	"GET /admin/keys/:purpose/rotate": {want: adminPage, path: "/admin/keys/log/rotate"},
	// of the own tenant
	"POST /admin/keys/:purpose/rotate":     {want: "303 403 403 403 303 303", path: "/admin/keys/log/rotate"},
	"POST /admin/keys/trusted":             {want: "303 403 403 403 422 422", body: "name=x&public_key=y"},
	"POST /admin/keys/trusted/remove":      {want: "303 403 403 403 422 422", body: "id=none"},
	"GET /admin/policy":                    {want: adminPage},
	"POST /admin/policy":                   {want: "303 403 403 403 422 422", body: "version=0"},
	"GET /admin/redaction":                 {want: adminPage},
	"POST /admin/redaction":                {want: "303 403 403 403 422 422", body: "patterns=broken"},
	"GET /admin/tenant":                    {want: adminPage},
	"POST /admin/tenant/second-admin":      {want: "303 403 403 403 303 303", body: "demanded=0"}, // it is off
	"GET /admin/changes":                   {want: adminPage},
	"POST /admin/changes/:change/confirm":  {want: "303 403 403 403 404 404", path: "/admin/changes/{session}/confirm"},
	"POST /admin/changes/:change/refuse":   {want: "303 403 403 403 404 404", path: "/admin/changes/{session}/refuse"},
	"POST /admin/changes/:change/withdraw": {want: "303 403 403 403 404 404", path: "/admin/changes/{session}/withdraw"},
	"POST /admin/tenant":                   {want: "303 403 403 403 422 422", body: "name=&months=12"},

	"GET /admin/webhooks":              {want: adminPage},
	"POST /admin/webhooks":             {want: "303 403 403 403 422 422", body: "url=&kind=pack.purged"},
	"GET /admin/webhooks/:id":          {want: "303 403 403 403 200 404", path: "/admin/webhooks/{hook}"},
	"POST /admin/webhooks/:id/test":    {want: "303 403 403 403 303 404", path: "/admin/webhooks/{hook}/test"},
	"POST /admin/webhooks/:id/disable": {want: "303 403 403 403 303 404", path: "/admin/webhooks/{hook}/disable"},
	"POST /admin/webhooks/:id/enable":  {want: "303 403 403 403 303 404", path: "/admin/webhooks/{hook}/enable"},
	"POST /admin/webhooks/:id/rotate":  {want: "303 403 403 403 200 404", path: "/admin/webhooks/{hook}/rotate"},
	"POST /admin/webhooks/:id/remove":  {want: "303 403 403 403 303 404", path: "/admin/webhooks/{hookpage}/remove"},

	"GET /audit":            {want: adminPage},
	"POST /audit/verify":    {want: adminPage},
	"GET /audit/export":     {want: adminPage},
	"GET /audit/checkpoint": {want: adminPage},

	"GET /":          {want: readers},
	"GET /dashboard": {want: readers},
	"GET /sessions":  {want: readers},
	"GET /search":    {want: readers, path: "/search?q=days"},
	"GET /views":     {want: readers},
	"POST /views": {want: "303 303 303 303 303 303",
		body: "page=sessions&query=state%3Dopen&name={unique}"},
	// no view
	"POST /views/:id":             {want: "303 404 404 404 404 404", path: "/views/{session}", body: "name=x"},
	"POST /views/:id/delete":      {want: "303 404 404 404 404 404", path: "/views/{session}/delete"},
	"GET /sessions/new":           {want: writers},
	"POST /sessions":              {want: "303 403 400 400 400 400", body: "answer=x"}, // no multipart form
	"GET /sessions/:id":           {want: "303 200 200 200 200 404", path: "/sessions/{session}"},
	"GET /sessions/:id/claims/:n": {want: "303 200 200 200 200 404", path: "/sessions/{session}/claims/1"},
	"POST /sessions/:id/claims/:n/reviews": {want: "303 403 303 303 303 404",
		path: "/sessions/{session}/claims/1/reviews", body: "action=comment&reason=x&seen={seen}"},
	"GET /sessions/:id/confirm": {want: "303 403 200 200 200 404", path: "/sessions/{session}/confirm"},
	"POST /sessions/:id/confirm": {want: "303 403 409 409 409 404", path: "/sessions/{session}/confirm",
		body: "revision=0"},
	// no such step
	"POST /sessions/:id/undo": {want: "303 403 422 422 422 404", path: "/sessions/{session}/undo", body: "batch=x"},
	// not settled
	"POST /sessions/:id/close": {want: "303 403 422 422 422 404", path: "/sessions/{session}/close", body: "reason="},
	// not closed
	"POST /sessions/:id/reopen": {want: "303 403 409 409 409 404", path: "/sessions/{session}/reopen"},
	"POST /sessions/:id/reviewers": {want: "303 403 303 303 303 404", path: "/sessions/{session}/reviewers",
		body: "take=none"},
	"GET /sessions/:id/export/:format": {want: "303 403 200 200 200 404", path: "/sessions/{session}/export/json"},
	// stale
	"POST /sessions/:id/judge": {want: "303 403 409 409 409 404", path: "/sessions/{session}/judge",
		body: "revision=0"},
	"GET /sessions/:id/documents": {want: "303 403 200 200 200 404", path: "/sessions/{session}/documents"},
	// no form
	"POST /sessions/:id/documents":  {want: "303 403 400 400 400 404", path: "/sessions/{session}/documents"},
	"GET /sessions/:id/answers":     {want: "303 200 200 200 200 404", path: "/sessions/{session}/answers"},
	"GET /sessions/:id/answers/new": {want: "303 403 200 200 200 404", path: "/sessions/{session}/answers/new"},
	// stale
	"POST /sessions/:id/answers": {want: "303 403 409 409 409 404", path: "/sessions/{session}/answers",
		body: "revision=0&answer=x"},
	"GET /sessions/:id/claims/:n/passages": {want: "303 403 200 200 200 404",
		path: "/sessions/{session}/claims/1/passages"},
	// stale
	"POST /sessions/:id/claims/:n/passages": {want: "303 403 409 409 409 404",
		path: "/sessions/{session}/claims/1/passages", body: "revision=0&document_id={document}&passage=0:0-1"},
	"GET /sessions/:id/runs/:n": {want: "303 200 200 200 200 404", path: "/sessions/{session}/runs/1"},
	// stale
	"POST /documents/:id/withdraw": {want: "303 403 409 409 409 404", path: "/documents/{document}/withdraw",
		body: "revision=0&reason=x"},
	// no form
	"POST /documents/:id/replace": {want: "303 403 400 400 400 404", path: "/documents/{document}/replace"},
	"GET /sessions/:id/citations/:hash": {want: "303 303 303 303 303 404",
		path: "/sessions/{session}/citations/{hash}"},
	"GET /jobs":     {want: readers},
	"GET /jobs/:id": {want: "303 200 200 200 200 404", path: "/jobs/{job}"},
	// an open one would go on
	"GET /jobs/:id/events":      {want: "303 200 200 200 200 404", path: "/jobs/{cancelled}/events"},
	"POST /jobs/:id/cancel":     {want: "303 403 303 303 303 404", path: "/jobs/{cancelled}/cancel"},
	"GET /documents/:id/attach": {want: "303 403 200 200 200 404", path: "/documents/{document}/attach?chunk=1"},
	// stale
	"POST /documents/:id/attach": {want: "303 403 409 409 409 404", path: "/documents/{document}/attach?chunk=1",
		body: "revision=0&claim=1&passage=0:0-1"},
	"GET /evidence-maps/answers": {want: writers},
	// no claim
	"POST /evidence-maps/answers": {want: "303 403 422 422 422 422"},
	"GET /documents/:id":          {want: "303 200 200 200 200 404", path: "/documents/{document}"},
	"GET /documents/:id/original": {want: "303 200 200 200 200 404", path: "/documents/{document}/original"},
	// the reviewer's own
	"GET /downloads/:token": {want: "303 403 200 404 404 404", path: "/downloads/{download}"},
	// the approver's own
	"GET /downloads/packs/:token": {want: "303 404 404 200 404 404", path: "/downloads/packs/{packlink}"},

	"GET /packs":      {want: readers},
	"GET /packs/new":  {want: writers},
	"POST /packs/new": {want: "303 403 422 422 422 422", body: "json={}"},
	// it has one
	"POST /packs":         {want: "303 403 409 409 409 404", body: "decision={decision}"},
	"GET /packs/:id":      {want: "303 200 200 200 200 404", path: "/packs/{pack}"},
	"GET /packs/:id/edit": {want: "303 403 200 200 200 404", path: "/packs/{draft}/edit"},
	"POST /packs/:id/edit": {want: "303 403 409 409 409 404", path: "/packs/{draft}/edit",
		body: "revision=0"},
	"POST /packs/:id/submit": {want: "303 403 409 409 409 404", path: "/packs/{broken}/submit",
		body: "revision=0"},
	"GET /packs/:id/mend":  {want: "303 403 200 200 200 404", path: "/packs/{draft}/mend"},
	"POST /packs/:id/mend": {want: "303 403 409 409 409 404", path: "/packs/{draft}/mend", body: "revision=0"},
	"POST /packs/:id/attachments": {want: "303 403 400 400 400 404", path: "/packs/{draft}/attachments",
		body: "revision=0"}, // no multipart form
	"POST /packs/:id/attachments/remove": {want: "303 403 409 409 409 404", path: "/packs/{draft}/attachments/remove",
		body: "revision=0&sha256=00"},
	"POST /packs/:id/departures": {want: "303 403 409 409 409 404", path: "/packs/{draft}/departures",
		body: "revision=0&tool_call=1&departed=no&reason=x"},
	"GET /packs/:id/draft.pdf":   {want: "303 403 200 200 200 404", path: "/packs/{draft}/draft.pdf"},
	"GET /packs/:id/reading.pdf": {want: "303 403 403 200 200 404", path: "/packs/{pack}/reading.pdf?language=ar"},
	"POST /packs/:id/discard": {want: "303 403 409 409 409 404", path: "/packs/{draft}/discard",
		body: "revision=0&reason=x"},
	"GET /packs/:id/compare": {want: "303 200 200 200 200 404",
		path: "/packs/{pack}/compare?with={pack}"},
	// no password
	"POST /packs/:id/approve": {want: "303 403 403 422 422 404", path: "/packs/{review}/approve", body: "revision=0"},
	"POST /packs/:id/return": {want: "303 403 403 409 409 404", path: "/packs/{review}/return",
		body: "revision=0&reason=x"},
	"POST /packs/:id/versions": {want: "303 403 409 409 409 404", path: "/packs/{review}/versions"},
	"POST /packs/:id/exports": {want: "303 403 403 200 200 404", path: "/packs/{pack}/exports",
		body: "format=pdf"},
	"POST /packs/:id/exports/ask": {want: "303 303 303 303 303 404", path: "/packs/{pack}/exports/ask",
		body: "format=pdf"},
	// no request
	"POST /packs/:id/exports/:export/grant": {want: "303 403 403 404 404 404",
		path: "/packs/{pack}/exports/{session}/grant"},
	"POST /packs/:id/exports/:export/refuse": {want: "303 403 403 404 404 404",
		path: "/packs/{pack}/exports/{session}/refuse", body: "reason=x"},
	"POST /packs/:id/exports/:export/link": {want: "303 404 404 404 404 404",
		path: "/packs/{pack}/exports/{session}/link"},
	// it has none
	"GET /packs/:id/attachments/:sha256": {want: "303 404 404 404 404 404", path: "/packs/{pack}/attachments/00"},
	"GET /packs/:id/parts":               {want: "303 403 403 200 200 404", path: "/packs/{pack}/parts"},
	"POST /packs/:id/parts/proof": {want: "303 403 403 200 200 404", path: "/packs/{pack}/parts/proof",
		body: "one=excerpt/E1"},
	// no reason
	"GET /packs/:id/erased":        {want: "303 404 404 404 404 404", path: "/packs/{pack}/erased"},
	"GET /api/v1/packs/:id/erased": {want: "401 404 404 404 404 404", path: "/api/v1/packs/{pack}/erased"},
	"POST /packs/:id/parts/redacted": {want: "303 403 403 422 422 404", path: "/packs/{pack}/parts/redacted",
		body: "part=excerpt/E1"},
	"POST /packs/:id/hold": {want: "303 403 403 403 409 404", path: "/packs/{pack}/hold",
		body: "revision=0&reason=x"},
	"POST /packs/:id/unhold": {want: "303 403 403 403 409 404", path: "/packs/{pack}/unhold",
		body: "revision=0&reason=x"},
	// seven years
	"POST /packs/:id/purge": {want: "303 403 403 403 409 404", path: "/packs/{pack}/purge"},
	"GET /admin/erasures":   {want: "303 403 403 200 200 200"},
	"POST /admin/erasures":  {want: "303 403 403 403 422 422", body: "kind=session&id=none&reason=x"},
	"POST /admin/erasures/:erasure/confirm": {want: "303 403 403 404 404 404",
		path: "/admin/erasures/{session}/confirm"},
	"POST /admin/erasures/:erasure/refuse": {want: "303 403 403 404 404 404",
		path: "/admin/erasures/{session}/refuse"},
	"POST /admin/holds":    {want: "303 403 403 403 422 422", body: "kind=session&id=none&reason=x"},
	"GET /admin/periods":   {want: adminPage},
	"POST /admin/periods":  {want: "303 403 403 403 422 422", body: "session=none"},
	"GET /admin/retention": {want: "303 403 403 200 200 200"},
	"POST /admin/retention/:purge/confirm": {want: "303 403 403 404 404 404",
		path: "/admin/retention/{session}/confirm"},
	"POST /admin/retention/:purge/refuse": {want: "303 403 403 404 404 404",
		path: "/admin/retention/{session}/refuse"},

	"GET /api/v1/openapi.json": {want: everybody},
	"GET /docs/api":            {want: everybody},

	"GET /api/v1/sessions": {want: "401 200 200 200 200 200"},
	"GET /api/v1/stats":    {want: "401 200 200 200 200 200"},
	// it is there already
	"POST /api/v1/sessions": {want: "401 403 200 200 200 201", body: webtest.LeavePolicy},
	"GET /api/v1/sessions/:id/ledger": {want: "401 200 200 200 200 404",
		path: "/api/v1/sessions/{session}/ledger"},
	"POST /api/v1/sessions/:id/ledger/export": {want: "401 403 200 200 200 404",
		path: "/api/v1/sessions/{session}/ledger/export", body: `{"format":"json"}`},
	"POST /api/v1/sessions/:id/claims/:n/reviews": {want: "401 403 201 201 201 404",
		path: "/api/v1/sessions/{session}/claims/1/reviews", body: `{"action":"comment","reason":"x"}`},
	"POST /api/v1/sessions/:id/judge": {want: "401 403 200 200 200 404",
		path: "/api/v1/sessions/{session}/judge"},
	"GET /api/v1/sessions/:id/runs": {want: "401 200 200 200 200 404",
		path: "/api/v1/sessions/{session}/runs"},
	"GET /api/v1/sessions/:id/runs/:n/claims": {want: "401 200 200 200 200 404",
		path: "/api/v1/sessions/{session}/runs/1/claims"},
	"GET /api/v1/sessions/:id/runs/:n/changes": {want: "401 200 200 200 200 404",
		path: "/api/v1/sessions/{session}/runs/1/changes"},
	"POST /api/v1/sessions/:id/claims/:n/passages": {want: "401 403 422 422 422 404",
		path: "/api/v1/sessions/{session}/claims/1/passages", body: `{"document_id":"x","start":0,"end":1}`},
	"POST /api/v1/sessions/:id/answers": {want: "401 403 422 422 422 404",
		path: "/api/v1/sessions/{session}/answers", body: `{"answer":" "}`},
	"GET /api/v1/sessions/:id/answers": {want: "401 200 200 200 200 404", path: "/api/v1/sessions/{session}/answers"},
	"GET /api/v1/sessions/:id/answers/:n/changes": {want: "401 200 200 200 200 404",
		path: "/api/v1/sessions/{session}/answers/1/changes"},
	"POST /api/v1/sessions/:id/documents": {want: "401 403 422 422 422 404",
		path: "/api/v1/sessions/{session}/documents", body: `{"documents":[]}`},
	"POST /api/v1/documents/:id/replace": {want: "401 403 422 422 422 404",
		path: "/api/v1/documents/{document}/replace", body: `{"reason":" "}`},
	"POST /api/v1/documents/:id/withdraw": {want: "401 403 422 422 422 404",
		path: "/api/v1/documents/{document}/withdraw", body: `{"reason":" "}`},
	`POST /api/v1/sessions/:id/reviews\:bulk`: {want: "401 403 422 422 422 404",
		path: "/api/v1/sessions/{session}/reviews:bulk", body: `{"action":"undo","batch_id":"x"}`},
	"GET /api/v1/sessions/:id": {want: "401 200 200 200 200 404",
		path: "/api/v1/sessions/{session}"},
	"POST /api/v1/sessions/:id/close": {want: "401 403 422 422 422 404",
		path: "/api/v1/sessions/{session}/close"},
	"POST /api/v1/sessions/:id/reopen": {want: "401 403 409 409 409 404",
		path: "/api/v1/sessions/{session}/reopen"},
	"POST /api/v1/sessions/:id/reviewers": {want: "401 403 200 200 200 404",
		path: "/api/v1/sessions/{session}/reviewers", body: `{}`},
	"GET /api/v1/search":   {want: "401 200 200 200 200 200", path: "/api/v1/search?q=days"},
	"GET /api/v1/jobs":     {want: "401 200 200 200 200 200"},
	"GET /api/v1/jobs/:id": {want: "401 200 200 200 200 404", path: "/api/v1/jobs/{job}"},
	"POST /api/v1/jobs/:id/cancel": {want: "401 403 200 200 200 404",
		path: "/api/v1/jobs/{cancelled}/cancel"},
	"GET /api/v1/citations/:hash":        {want: everybodyWithToken, path: "/api/v1/citations/{hash}"},
	"POST /api/v1/evidence-maps/answers": {want: "401 403 400 400 400 400", body: `{"claims":[]}`},
	"POST /api/v1/evidence-maps":         {want: everybodyWithToken, body: `{"chunks":[],"claims":[]}`},
	`POST /api/v1/sources\:pack`: {want: everybodyWithToken, path: "/api/v1/sources:pack",
		body: `{"candidates":[]}`},

	"GET /api/v1/decisions": {want: everybodyWithToken},
	"POST /api/v1/decisions": {want: "401 403 201 201 201 201",
		body: webtest.DecisionOf("{unique}", "A1")},
	"GET /api/v1/decisions/:id": {want: "401 200 200 200 200 404", path: "/api/v1/decisions/{decision}"},
	"GET /api/v1/packs":         {want: everybodyWithToken},
	"GET /api/v1/policy":        {want: everybodyWithToken},
	"PUT /api/v1/policy":        {want: "401 403 403 403 422 422", path: "/api/v1/policy", body: `{"rules":[]}`},
	// it has one
	"POST /api/v1/packs":    {want: "401 403 409 409 409 404", body: `{"decision_id":"{decision}"}`},
	"GET /api/v1/packs/:id": {want: "401 200 200 200 200 404", path: "/api/v1/packs/{pack}"},
	"PATCH /api/v1/packs/:id": {want: "401 403 200 200 200 404", path: "/api/v1/packs/{draft}",
		body: `{"memo":{}}`},
	"GET /api/v1/packs/:id/draft.pdf": {want: "401 403 200 200 200 404",
		path: "/api/v1/packs/{draft}/draft.pdf?language=en"},
	"GET /api/v1/packs/:id/reading.pdf": {want: "401 403 403 200 200 404",
		path: "/api/v1/packs/{pack}/reading.pdf?language=en"},
	"POST /api/v1/packs/:id/discard": {want: "401 403 409 409 409 404", path: "/api/v1/packs/{review}/discard",
		body: `{"reason":"x"}`},
	"POST /api/v1/packs/:id/attachments": {want: "401 403 409 409 409 404", path: "/api/v1/packs/{review}/attachments",
		body: `{"name":"a.txt","content":"YQ=="}`},
	"DELETE /api/v1/packs/:id/attachments": {want: "401 403 409 409 409 404",
		path: "/api/v1/packs/{review}/attachments?sha256=00"},
	"POST /api/v1/packs/:id/departures": {want: "401 403 409 409 409 404", path: "/api/v1/packs/{review}/departures",
		body: `{"tool_call":1,"departed":true,"reason":"x"}`},
	"POST /api/v1/decisions/:id/tool-calls": {want: "401 403 404 404 404 404", path: "/api/v1/decisions/none/tool-calls",
		body: `{"id":"c1","tool_name":"crm.get","intended_action":"read","actual_action":"read"}`},
	"POST /api/v1/packs/:id/submit": {want: "401 403 422 422 422 404",
		path: "/api/v1/packs/{broken}/submit"},
	// no password
	"POST /api/v1/packs/:id/approve": {want: "401 403 403 422 422 404", path: "/api/v1/packs/{review}/approve",
		body: `{}`},
	"POST /api/v1/packs/:id/return": {want: "401 403 403 422 422 404",
		path: "/api/v1/packs/{review}/return", body: `{"reason":" "}`},
	"GET /api/v1/packs/:id/versions": {want: "401 200 200 200 200 404",
		path: "/api/v1/packs/{pack}/versions"},
	"POST /api/v1/packs/:id/versions": {want: "401 403 409 409 409 404",
		path: "/api/v1/packs/{review}/versions"},
	"GET /api/v1/packs/:id/changes": {want: "401 200 200 200 200 404",
		path: "/api/v1/packs/{pack}/changes?from={pack}"},
	"GET /api/v1/packs/:id/dsse": {want: "401 200 200 200 200 404", path: "/api/v1/packs/{pack}/dsse"},
	"GET /api/v1/packs/:id/proofs/:kind/:part": {want: "401 403 403 200 200 404",
		path: "/api/v1/packs/{pack}/proofs/excerpt/E1"},
	"POST /api/v1/packs/:id/redacted": {want: "401 403 403 422 422 404",
		path: "/api/v1/packs/{pack}/redacted", body: `{"redactions":[]}`},
	"POST /api/v1/packs/:id/export": {want: "401 202 202 200 200 404", path: "/api/v1/packs/{pack}/export",
		body: `{"format":"markdown"}`},
	"POST /api/v1/packs/:id/hold": {want: "401 403 403 403 422 404", path: "/api/v1/packs/{pack}/hold",
		body: `{"reason":""}`},
	"POST /api/v1/packs/:id/hold/lift": {want: "401 403 403 403 409 404",
		path: "/api/v1/packs/{pack}/hold/lift", body: `{"reason":"x"}`},
	// seven years
	"POST /api/v1/packs/:id/purge": {want: "401 403 403 403 409 404", path: "/api/v1/packs/{pack}/purge"},
	"GET /api/v1/pack-exports":     {want: everybodyWithToken},
	"POST /api/v1/pack-exports/:id/grant": {want: "401 403 403 200 409 404",
		path: "/api/v1/pack-exports/{asked}/grant", body: `{"password":"` + webtest.Password + `"}`},
	"POST /api/v1/pack-exports/:id/refuse": {want: "401 403 403 200 409 404",
		path: "/api/v1/pack-exports/{refuse}/refuse", body: `{"reason":"x"}`},
	// the viewer's own, once
	"POST /api/v1/pack-exports/:id/link": {want: "401 200 404 404 404 404",
		path: "/api/v1/pack-exports/{granted}/link"},
	"GET /api/v1/pack-purges": {want: "401 403 403 200 200 200"},
	"POST /api/v1/pack-purges/:id/confirm": {want: "401 403 403 404 404 404",
		path: "/api/v1/pack-purges/{session}/confirm", body: `{"password":"` + webtest.Password + `"}`},
	"GET /bundles":              {want: readers},
	"GET /bundles/:id":          {want: "303 200 200 200 200 404", path: "/bundles/{bundle}"},
	"GET /bundles/:id/artifact": {want: "303 200 200 200 200 404", path: "/bundles/{bundle}/artifact"},

	"GET /bundles/:id/replay": {want: "303 200 200 200 200 404", path: "/bundles/{bundle}/replay"},

	"GET /api/v1/bundles/:id/replay": {want: "401 200 200 200 200 404", path: "/api/v1/bundles/{bundle}/replay"},
	"POST /api/v1/bundles/:id/replay": {want: "401 200 200 200 200 404", path: "/api/v1/bundles/{bundle}/replay",
		body: webtest.InlineBundle},

	"GET /api/v1/bundles": {want: everybodyWithToken},
	"POST /api/v1/bundles": {want: "401 403 201 201 201 201",
		body: `{"job_input":{"extra_params":{"evidence":[{"text":"{unique}"}]}}}`},
	"GET /api/v1/bundles/:id": {want: "401 200 200 200 200 404", path: "/api/v1/bundles/{bundle}"},
	"POST /api/v1/bundles/:id/runs": {want: "401 403 201 201 201 404", path: "/api/v1/bundles/{bundle}/runs",
		body: `{"run_id":"{unique}"}`},
	"GET /api/v1/lake/*": {want: "401 200 200 200 200 404", path: "/api/v1/lake/{artifact}"},
	"PUT /api/v1/lake/*": {want: "401 403 201 201 201 201", path: "/api/v1/lake/{unique}", body: "x"},

	"POST /api/v1/pack-purges/:id/refuse": {want: "401 403 403 404 404 404",
		path: "/api/v1/pack-purges/{session}/refuse"},

	"GET /api/v1/changes":     {want: "401 403 403 403 200 200"},
	"GET /api/v1/changes/:id": {want: "401 403 403 403 404 404", path: "/api/v1/changes/{session}"},
	"POST /api/v1/changes/:id/confirm": {want: "401 403 403 403 404 404", path: "/api/v1/changes/{session}/confirm",
		body: `{"password":"correct horse battery"}`},
	"POST /api/v1/changes/:id/refuse":   {want: "401 403 403 403 404 404", path: "/api/v1/changes/{session}/refuse"},
	"POST /api/v1/changes/:id/withdraw": {want: "401 403 403 403 404 404", path: "/api/v1/changes/{session}/withdraw"},
	"GET /api/v1/second-admin":          {want: "401 403 403 403 200 200"},
	"PUT /api/v1/second-admin": {want: "401 403 403 403 200 200",
		body: `{"demanded":false,"password":"correct horse battery"}`},
	"GET /api/v1/account/tokens":        {want: everybodyWithToken},
	"POST /api/v1/account/tokens":       {want: "401 422 422 422 422 422", body: `{"name":"x","days":1,"password":""}`},
	"DELETE /api/v1/account/tokens/:id": {want: "401 404 404 404 404 404", path: "/api/v1/account/tokens/{token}"},
	"GET /api/v1/account/changes":       {want: everybodyWithToken},

	"GET /api/v1/trusted-keys":    {want: "401 403 403 403 200 200"},
	"POST /api/v1/trusted-keys":   {want: "401 403 403 403 422 422", body: `{"name":"x","public_key":"y"}`},
	"DELETE /api/v1/trusted-keys": {want: "401 403 403 403 422 422", path: "/api/v1/trusted-keys?id=none"},
	"GET /api/v1/webhooks":        {want: "401 403 403 403 200 200"},
	"GET /api/v1/erasures":        {want: "401 403 403 200 200 200"},
	"POST /api/v1/erasures":       {want: "401 403 403 403 422 422", body: `{"kind":"thing","id":"x","reason":"x"}`},
	"GET /api/v1/erasures/:id":    {want: "401 403 403 404 404 404", path: "/api/v1/erasures/{session}"},
	"POST /api/v1/erasures/:id/confirm": {want: "401 403 403 404 404 404", path: "/api/v1/erasures/{session}/confirm",
		body: `{"password":"correct horse battery"}`},
	"POST /api/v1/erasures/:id/refuse": {want: "401 403 403 404 404 404", path: "/api/v1/erasures/{session}/refuse"},
	"GET /api/v1/legal-holds":          {want: "401 403 403 403 200 200"},
	"POST /api/v1/legal-holds": {want: "401 403 403 403 422 422",
		body: `{"kind":"session","id":"x","held":true,"reason":"x"}`},
	"GET /api/v1/retention": {want: "401 403 403 403 200 200"},
	"PUT /api/v1/retention": {want: "401 403 403 403 200 200", body: `{"periods":[]}`},
	"POST /api/v1/webhooks": {want: "401 403 403 403 422 422",
		body: `{"url":"","kinds":["pack.purged"]}`},
	"GET /api/v1/webhooks/:id": {want: "401 403 403 403 200 404", path: "/api/v1/webhooks/{hook}"},
	"PATCH /api/v1/webhooks/:id": {want: "401 403 403 403 200 404", path: "/api/v1/webhooks/{hook}",
		body: `{"enabled":true}`},
	"DELETE /api/v1/webhooks/:id":      {want: "401 403 403 403 204 404", path: "/api/v1/webhooks/{hookapi}"},
	"POST /api/v1/webhooks/:id/rotate": {want: "401 403 403 403 200 404", path: "/api/v1/webhooks/{hook}/rotate"},
	"POST /api/v1/webhooks/:id/test":   {want: "401 403 403 403 202 404", path: "/api/v1/webhooks/{hook}/test"},
	"GET /api/v1/webhooks/:id/deliveries": {want: "401 403 403 403 200 404",
		path: "/api/v1/webhooks/{hook}/deliveries"},
}

const everybodyWithToken = "401 200 200 200 200 200"

// columns are the users of the table; nobody stands for all users without valid credentials.
var columns = []struct {
	column int
	who    []string
}{{0, []string{"", "disabled", "shut.out", "expired"}}, {1, []string{"viewer"}}, {2, []string{"reviewer"}},
	{3, []string{"approver"}}, {4, []string{"admin"}}, {5, []string{"foreign"}}}

// ask sends a route's request to path as a user, with a cookie or a token. Each cookie is a new login, because some
// routes end the login.
func ask(w *webtest.World, r handlers.Route, path, who, by string) *httptest.ResponseRecorder {
	w.T.Helper()
	headers := []string{"Content-Type", "application/x-www-form-urlencoded", "If-Match", "*"}
	if strings.HasPrefix(r.Path, "/api/") {
		headers[1] = "application/json"
	}
	if who != "" {
		p := w.Person(who)
		cookie, tenant := p.Cookie, map[string]string{"foreign": w.Other.ID}[who]
		if tenant == "" {
			tenant = w.Tenant.ID
		}
		if by == "cookie" && slices.Contains([]string{"viewer", "reviewer", "approver", "admin", "foreign"}, who) {
			cookie = w.NewLogin(p.ID, tenant)
		}
		headers = append(headers, map[string][]string{"cookie": {"Cookie", "sanad=" + cookie},
			"token": {"Authorization", "Bearer " + p.Token}}[by]...)
	}
	return w.As("").Do(r.Method, path, w.Fill(matrix[r.Method+" "+r.Path].body), headers...)
}

// takes reports whether a route accepts a kind of credential.
func takes(r handlers.Route, by string) bool {
	api := strings.HasPrefix(r.Path, "/api/")
	return strings.HasPrefix(r.Path, "/downloads/") || api == (by == "token")
}

func TestMatrix(t *testing.T) {
	w := webtest.NewWorld(t)
	var known []string
	for _, r := range handlers.Routes() {
		key := r.Method + " " + r.Path
		known = append(known, key)
		row, ok := matrix[key]
		require.True(t, ok, "%s has no row in the matrix", key)
		want := strings.Fields(row.want)
		require.Len(t, want, 6, key)
		path := row.path
		if path == "" {
			path = r.Path
		}
		for _, c := range columns {
			for _, who := range c.who {
				for _, by := range []string{"cookie", "token"} {
					status := want[c.column]
					if !takes(r, by) {
						status = want[0]
					}
					res := ask(w, r, w.Fill(path), who, by)
					require.Equal(t, status, fmt.Sprint(res.Code), "%s as %q by %s: %s", key, who, by,
						res.Body.String())
					checkRefusal(t, r, res, status, want[0])
				}
			}
		}
	}
	for key := range matrix {
		require.Contains(t, known, key, "a row of the matrix has no route")
	}
}

// checkRefusal checks the form of a refusal.
func checkRefusal(t *testing.T, r handlers.Route, res *httptest.ResponseRecorder, status, nobody string) {
	t.Helper()
	switch {
	case res.Code == 401:
		require.Contains(t, res.Header().Get("WWW-Authenticate"), "Bearer")
	case res.Code == 403 && !strings.HasPrefix(r.Path, "/api/"):
		require.Regexp(t, "This needs the role|This is for administrators", res.Body.String())
	case status == "303" && nobody == "303" && res.Header().Get("Set-Cookie") == "" && !r.Public:
		require.NotContains(t, res.Header().Get("Location"), "//")
	}
}

// mustReauth reports whether a route needs a recent password because it changes people and their roles, tokens, keys,
// webhooks, or the second step of the user's own login.
func mustReauth(r handlers.Route) bool {
	for _, place := range []string{"/admin/users", "/admin/tokens", "/admin/keys", "/admin/webhooks", "/account/totp"} {
		if r.Method == "POST" && strings.HasPrefix(r.Path, place) {
			return true
		}
	}
	return false
}

// A route that requires a recent password redirects a login of six minutes to /confirm, and accepts no token.
func TestReauthRoutes(t *testing.T) {
	w := webtest.NewWorld(t)
	for _, r := range handlers.Routes() {
		if !r.Reauth {
			require.False(t, mustReauth(r), "%s %s does not require the password again", r.Method, r.Path)
			continue
		}
		path := w.Fill(matrix[r.Method+" "+r.Path].path)
		if path == "" {
			path = r.Path
		}
		cookie := w.NewLogin(w.Person("admin").ID, w.Tenant.ID)
		w.Clock.Move(6 * 60e9)
		res := w.As("").Do(r.Method, path, "", "Cookie", "sanad="+cookie)
		require.Equal(t, 303, res.Code, r.Path)
		require.True(t, strings.HasPrefix(res.Header().Get("Location"), "/confirm"), r.Path)
	}
}

package db

import "sanad/internal/db/receipts"

// What callers know of package receipts by the store's name.
type (
	Receipt      = receipts.Receipt
	ReplayError  = receipts.ReplayError
	receiptStore = receipts.Store
)

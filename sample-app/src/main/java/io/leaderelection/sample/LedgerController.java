package io.leaderelection.sample;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the ledger, on every node.
 */
@RestController
class LedgerController {

	private static final int MOST = 100;

	private final Ledger ledger;

	LedgerController(Ledger ledger) {
		this.ledger = ledger;
	}

	@GetMapping("/api/ledger")
	Page ledger() {
		return new Page(this.ledger.latest(MOST), this.ledger.latestRefused(MOST), this.ledger.books());
	}

	record Page(List<LedgerEntry> accepted, List<RefusedWrite> refused, Books books) {
	}

}

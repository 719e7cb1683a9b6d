package io.leaderelection.test.contract;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.leaderelection.Names;
import io.leaderelection.store.Lease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every valid name is a name, equal to no other, within one prefix.
 */
interface NamingContract extends Contract {

	List<String> ODD = List.of("with spaces", " leading and trailing ", "Ünïcödé 漢字 😀", "it's \"quoted\" `here`",
			"a/b//c/", "/", ".", "..", "{braces}", "}{", "100%", "%2F", "a:b::c", "*", "?[a-z]", "back\\slash",
			"${x} #{1} $1", "semi;colon--", "new|line\u2028like", "<&>", "_");

	@Test
	default void oddNamesOfElectionsAndNodesAreKept() {
		String mark = UUID.randomUUID().toString();
		Node one = scene().node();
		Node other = scene().node();
		for (String odd : ODD) {
			keepsTheNames(odd + mark, one.named(odd), other.named(mark + odd));
			keepsTheNames(odd, one.named(odd + mark), other.named(odd));
		}
	}

	@Test
	default void theLongestNamesAreKept() {
		Node one = scene().node();
		Node other = scene().node();
		for (String filling : List.of("x", "漢", "😀", "/", "%", "'")) {
			String name = filling.repeat(Names.MAX_LENGTH / filling.length());
			keepsTheNames(name, one.named(name), other.named("short"));
			keepsTheNames(name, one.named("short"), other.named(name));
		}
	}

	private static void keepsTheNames(String election, Node holder, Node other) {
		Lease lease = holder.wins(election);
		assertThat(other.isRefused(election).nodeId()).contains(holder.id());
		holder.holds(lease);
		assertThat(holder.reads(election).orElseThrow().candidates()).contains(other.id());
		holder.transfers(lease, other, Duration.ofSeconds(30));
		Lease taken = other.wins(election, lease.token());
		other.holds(taken);
		other.releases(taken);
	}

	@Test
	default void namesThatLookAlikeAreDifferentElections() {
		String mark = scene().election();
		List<String> endings = List.of("a", "A", "a ", " a", "ä", "Ä", "a\u0308", "/a", "//a", "%2Fa", ":a", "a/", "a:",
				"a.", "ａ", "a\u200b", "");
		List<String> elections = endings.stream().map((ending) -> mark + ending).toList();
		Node node = scene().node();
		List<Lease> leases = node.wins(elections);
		node.releases(leases.get(0));
		leases.stream().skip(1).forEach(node::holds);
		assertThat(node.reads(elections.get(0)).orElseThrow().holder()).isEmpty();
	}

	@Test
	default void longNamesThatDifferInTheirLastCharacterAreDifferentElections() {
		String mark = scene().election();
		String stem = mark + "x".repeat(Names.MAX_LENGTH - 1 - mark.length());
		Node first = scene().node();
		Node second = scene().node();
		Lease one = first.wins(stem + "1");
		Lease two = second.wins(stem + "2");
		first.holds(one);
		second.holds(two);
	}

	@Test
	default void twoPrefixesShareNothing() {
		String election = scene().election();
		Node here = scene().node();
		Node there = scene().nodeWithOtherPrefix();
		Lease mine = here.wins(election);
		assertThat(there.reads(election)).isEmpty();
		Lease theirs = there.wins(election);
		scene().node("standing by").isRefused(election);
		assertThat(there.reads(election).orElseThrow().candidates()).isEmpty();
		here.releases(mine);
		there.holds(theirs);
		assertThat(here.reads(election).orElseThrow().holder()).isEmpty();
	}

}

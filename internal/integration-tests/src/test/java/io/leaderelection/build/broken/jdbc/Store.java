package io.leaderelection.build.broken.jdbc;

public class Store {

}
